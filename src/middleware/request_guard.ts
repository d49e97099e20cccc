/** First on every HTTP request: gives it an id, sets safe headers, refuses pages and hosts from elsewhere. */
import { randomUUID } from 'node:crypto';
import { type IMiddleware, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import { AppError } from '../errors';
import { isLocalRequest } from '../utils/local_request';

const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self'; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

@Middleware()
export class RequestGuard implements IMiddleware<Context, NextFunction> {
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
      if (!isLocalRequest(ctx.headers)) {
        throw new AppError('forbidden', { message: 'Only pages and programs of this machine are served here.' });
      }
      return next();
    };
  }

  static getName(): string {
    return 'requestGuard';
  }
}
