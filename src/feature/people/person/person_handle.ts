/** Makes the handle of a person, which stands where keys have their name. */

const MAX_LENGTH = 40;

/** Returns a handle such as `@anna.lee` for a name; with a number when it is taken. The beginning of the e-mail address counts when the name has no Latin letter. */
export function handleFor(name: string, email: string, taken: ReadonlySet<string>): string {
  const base = slugOf(name) || slugOf(email.split('@')[0] ?? '') || 'person';
  for (let number = 1; ; number += 1) {
    const handle = number === 1 ? `@${base}` : `@${base}-${number}`;
    if (!taken.has(handle)) return handle;
  }
}

/** Letters lose their accents; everything but letters and digits becomes a dot. */
function slugOf(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, '.')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^\.+|\.+$/g, '');
}
