/** The cookies of a login, as they are set, read and removed. */

export const LOGIN_COOKIE = 'neta_session';
/** Shows that a person has logged in with this browser before. It logs nobody in. */
export const DEVICE_COOKIE = 'neta_device';

const DEVICE = new RegExp(`(?:^|;)\\s*${DEVICE_COOKIE}=([\\w-]{1,1024})\\s*(?:;|$)`);

export interface CookieAttributes {
  maxAgeMs: number;
  isSecure: boolean;
  path: string;
}

/** `maxAgeMs` 0 removes the cookie. */
export function toCookie(name: string, value: string, { maxAgeMs, isSecure, path }: CookieAttributes): string {
  const attributes = `Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1_000)}`;
  return `${name}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
}

/** `cookies`: the header of the request. */
export const readDeviceCookie = (cookies: string): string | undefined => DEVICE.exec(cookies)?.[1];
