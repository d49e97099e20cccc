/** Sets and removes the cookies of logins in answers. */
import type { Context } from '@midwayjs/koa';
import { DEVICE_LIFE_MS, LOGIN_LIFE_MS, type StartedLogin } from '../service/auth/login_service';
import { DEVICE_COOKIE, LOGIN_COOKIE, toCookie } from '../wire/login_cookie';

export function setLoginCookies(ctx: Context, { token, device }: StartedLogin): void {
  setCookie(ctx, LOGIN_COOKIE, { value: token, maxAgeMs: LOGIN_LIFE_MS });
  setDeviceCookie(ctx, device);
}

/** `device`: undefined leaves the cookie as it is. */
export function setDeviceCookie(ctx: Context, device: string | undefined): void {
  if (device !== undefined) setCookie(ctx, DEVICE_COOKIE, { value: device, maxAgeMs: DEVICE_LIFE_MS });
}

/** The browser stays known to the gateway. */
export const removeLoginCookie = (ctx: Context): void => setCookie(ctx, LOGIN_COOKIE, { value: '', maxAgeMs: 0 });

function setCookie(ctx: Context, name: string, { value, maxAgeMs }: { value: string; maxAgeMs: number }): void {
  const { basePath, publicAddress } = ctx.state;
  const isSecure = publicAddress.protocol === 'https';
  ctx.append('set-cookie', toCookie(name, value, { maxAgeMs, isSecure, path: basePath || '/' }));
  ctx.set('cache-control', 'no-store');
}
