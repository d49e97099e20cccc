/** Shorter values, such as `true` or a port, occur in texts that are no secret. */
const MIN_SECRET_UNITS = 8;
/** A value this long occurs in no other text by chance, so it is replaced inside longer words too. */
const UNMISTAKABLE_UNITS = 16;

/** Returns a function that replaces the secrets in a text; a short one only where it stands as a whole token. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter(({ length }) => length >= MIN_SECRET_UNITS).sort((a, b) => b.length - a.length);
  const patterns = known.map(secret => (secret.length >= UNMISTAKABLE_UNITS ? secret : tokenPattern(secret)));
  return text => patterns.reduce<string>((left, pattern) => left.replaceAll(pattern, '[redacted]'), text);
}

/** A token begins after a character that no name contains, or after an escape such as `\n` in JSON. */
function tokenPattern(secret: string): RegExp {
  const escaped = secret.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(`(?<=^|[^\\w-]|\\\\[nrtbf])${escaped}(?![\\w-])`, 'g');
}

/** Secrets of API keys that the gateway made: it keeps only their hashes, so they are known by their form. */
const MADE_KEY = /neta_[\w-]{43}/g;

export const redactMadeKeys = (text: string): string => text.replaceAll(MADE_KEY, '[redacted]');
