/** Finds what makes a pasted key unusable in a header of HTTP. The sentence never holds the key. */

/** Returns the rest of a sentence that begins with the name of the variable; undefined for a usable key. */
export function findKeyProblem(key: string): string | undefined {
  if (/^Bearer\s/i.test(key)) return 'begins with the word Bearer, which the gateway adds itself: set the key alone.';
  if (/^(["']).*\1$/s.test(key)) return 'has quotation marks around the key: set the key alone.';
  const index = key.search(/[^\x21-\x7e]/u);
  if (index === -1) return undefined;
  const code = (key.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `has the character U+${code} at position ${index + 1}, which no key has: copy the key again.`;
}
