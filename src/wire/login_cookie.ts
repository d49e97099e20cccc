/** The cookie of a login, as it is set and removed. */

export const LOGIN_COOKIE = 'neta_session';

/** `maxAgeMs` 0 removes the cookie. */
export function toLoginCookie(value: string, { maxAgeMs, isSecure, path }: { maxAgeMs: number; isSecure: boolean; path: string }): string {
  const attributes = `Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1_000)}`;
  return `${LOGIN_COOKIE}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
}
