/** Runs first on every HTTP request: gives it an id, sets security headers, refuses foreign origins and hosts. */
import { randomUUID } from 'node:crypto';
import { type IMiddleware, Inject, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import type { DoorGuard } from './door_guard';

const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self'; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const SENT_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer';
const READABLE_HEADERS = 'Location, Retry-After, X-Request-Id, X-Should-Retry';

@Middleware()
export class RequestGuard implements IMiddleware<Context, NextFunction> {
  @Inject()
  doorGuard!: DoorGuard;

  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      const requestId = randomUUID();
      ctx.state.requestId = requestId;
      ctx.set({
        'x-request-id': requestId,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': CONTENT_SECURITY_POLICY,
      });
      await this.doorGuard.check(ctx.req);
      if (this.letPageRead(ctx)) return;
      // The component for static files never finishes the answer to a range beyond the end of a file. A server may ignore ranges (RFC 9110,
      // 14.2).
      delete ctx.req.headers.range;
      const result = await next();
      ctx.remove('accept-ranges');
      return result;
    };
  }

  /** Sets CORS headers for allowed origins. Returns true for a preflight request, which needs no further answer. */
  private letPageRead(ctx: Context): boolean {
    const { origin } = ctx.headers;
    if (!this.doorGuard.isAllowedOrigin(origin)) return false;
    ctx.set({ 'access-control-allow-origin': origin, 'access-control-expose-headers': READABLE_HEADERS });
    ctx.vary('Origin');
    if (ctx.method !== 'OPTIONS' || !ctx.get('access-control-request-method')) return false;
    ctx.set({ 'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE', 'access-control-allow-headers': SENT_HEADERS });
    ctx.status = 204;
    return true;
  }

  static getName(): string {
    return 'requestGuard';
  }
}
