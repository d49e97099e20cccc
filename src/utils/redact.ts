/** Shorter values, such as `true` or a port, occur in texts that are no secret. */
const MIN_SECRET_UNITS = 8;

/** Returns a function that replaces the secrets in a text. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter(({ length }) => length >= MIN_SECRET_UNITS).sort((a, b) => b.length - a.length);
  return text => known.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
}
