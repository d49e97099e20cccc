/** Runs first on every HTTP request: gives it an id, sets security and CORS headers, refuses foreign origins and hosts. */
import { randomUUID } from 'node:crypto';
import { type IMiddleware, Inject, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import { InjectService } from '../inject_service';
import { readTraceContext } from '../port/traceparent';
import type { DoorActivity } from '../service/door/door_activity';
import { isOwnPath } from '../utils/base_path';
import { isPreflight, preflightHeaders, readableHeaders } from './cors';
import type { DoorGuard } from './door_guard';
import { isScriptForAll, PERMISSIONS, policyOf } from './page_policy';

/** The id of a caller is kept when it can stand in a log line and a header as it is. */
const CALLER_ID = /^[\w.:-]{1,128}$/;

@Middleware()
export class RequestGuard implements IMiddleware<Context, NextFunction> {
  @Inject()
  doorGuard!: DoorGuard;
  @InjectService()
  doorActivity!: DoorActivity;

  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      this.doorActivity.watchRequest(ctx);
      const given = ctx.get('x-request-id');
      const requestId = CALLER_ID.test(given) ? given : randomUUID();
      ctx.state.requestId = requestId;
      ctx.state.clientAddress = this.doorGuard.clientAddress(ctx.req);
      ctx.state.publicAddress = this.doorGuard.publicAddress(ctx.req);
      ctx.state.basePath = this.doorGuard.basePath(ctx.req);
      ctx.state.trace = readTraceContext({ traceparent: ctx.headers['traceparent'], tracestate: ctx.headers['tracestate'] });
      ctx.set({
        'x-request-id': requestId,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': policyOf(ctx.path, this.doorGuard.origins),
        'permissions-policy': PERMISSIONS,
      });
      if (isScriptForAll(ctx)) ctx.set({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
      await this.doorGuard.check(ctx.req);
      if (this.letPageRead(ctx)) return;
      // Redirects to the path with a slash, because relative links of the page need it.
      if (ctx.path === ctx.state.basePath && !isOwnPath(ctx.path)) return ctx.redirect(`${ctx.path}/${ctx.search}`);
      // The component for static files never finishes the answer to a range beyond the end of a file. A server may ignore ranges (RFC 9110,
      // 14.2). Downloads read it from the state.
      ctx.state.range = ctx.get('range');
      delete ctx.req.headers.range;
      const result = await next();
      ctx.remove('accept-ranges');
      return result;
    };
  }

  /** Sets CORS headers for allowed origins. Returns true for a preflight request, which needs no further answer. */
  private letPageRead(ctx: Context): boolean {
    if (this.doorGuard.origins.length > 0) ctx.vary('Origin');
    const { origin } = ctx.headers;
    if (!this.doorGuard.isAllowedOrigin(origin)) return false;
    ctx.set(readableHeaders(origin));
    if (!isPreflight(ctx)) return false;
    ctx.set(preflightHeaders(ctx.headers));
    ctx.status = 204;
    return true;
  }
}
