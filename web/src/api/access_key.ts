/** The API key of a page that has no login cookie: a chat in a frame of another site. It is kept in memory alone, and never in an address. */
let key: string | undefined;

export const readAccessKey = (): string | undefined => key;

/** undefined: the browser sends the cookie, or the gateway needs no key. */
export function setAccessKey(given: string | undefined): void {
  key = given || undefined;
}

/** Headers that show the key to the gateway. */
export function keyHeaders(): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
