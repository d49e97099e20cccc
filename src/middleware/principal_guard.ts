/** Finds out who sent an HTTP request, and refuses it when the caller lacks the scope of the route, or a second factor. */
import { type IMiddleware, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import type { RouteRow } from '../controller/route';
import { AppError } from '../errors';
import { InjectService } from '../inject_service';
import { hasScope, type Principal } from '../port/principal';
import { DOOR_PATHS } from '../routes';
import type { AuthService } from '../service/auth/auth_service';
import type { Identity } from '../service/auth/key_ring';
import type { RouteTokens } from '../service/auth/route_tokens';
import { assertScope, assertSecondFactor } from '../wire/assert_scope';
import { readLoginCookie } from './login_cookie';
import { isOwnOrigin } from './served_request';

const BEARER = /^bearer +(\S+)\s*$/i;

@Middleware()
export class PrincipalGuard implements IMiddleware<Context, NextFunction> {
  @InjectService()
  authService!: AuthService;
  @InjectService()
  routeTokens!: RouteTokens;

  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      // The guard of methods has looked the row up already.
      const row: RouteRow | undefined = ctx.state.route;
      // Pages are open, and so are routes such as /healthz.
      if (row ? row.scope === 'open' : !isBelowDoor(ctx.path)) {
        assertOwnPage(ctx);
        return next();
      }
      if (row && this.routeTokens.opens(row.operationId, secretOf(ctx))) return next();
      const identity = await this.identify(ctx);
      const { principal } = identity;
      if (row) assertMayCall(row, principal);
      else if (!hasScope(principal, 'admin')) throw new AppError('not_found');
      if (principal.guestOf !== undefined && !row?.guests) throw new AppError('not_found');
      ctx.state.identity = identity;
      ctx.state.principal = principal;
      this.followStream(ctx, identity);
      return next();
    };
  }

  private async identify(ctx: Context): Promise<Identity> {
    const { clientAddress: address, publicAddress } = ctx.state;
    try {
      const token = readLoginCookie(ctx.req, publicAddress);
      return await this.authService.authenticate({ secret: secretOf(ctx), token, address });
    } catch (thrown) {
      // RFC 6750, 3.
      if (thrown instanceof AppError && thrown.code === 'unauthenticated') ctx.set('www-authenticate', 'Bearer');
      throw thrown;
    }
  }

  /** Ends an answer that is a stream when the caller may no longer be served; a single answer is still finished. */
  private followStream({ res, state }: Context, identity: Identity): void {
    const forget = this.authService.followConnection(identity, () => {
      state.isOver = true;
      if (state.endStream) state.endStream(new AppError('unauthenticated'));
      else if (String(res.getHeader('content-type')).startsWith('text/event-stream')) res.socket?.destroySoon();
      // The answer can still become a stream.
      else return;
      forget();
    });
    // A caller that has left already causes no close event.
    if (res.destroyed) forget();
    else res.once('close', forget);
  }
}

/** Throws `forbidden`. */
function assertMayCall({ scope, beforeSecondFactor }: RouteRow, principal: Principal): void {
  if (!beforeSecondFactor) assertSecondFactor(principal);
  assertScope(principal, scope);
}

/** True for a path at which a request without a route is served to admins alone. The router ignores case. */
function isBelowDoor(path: string): boolean {
  const lower = path.toLowerCase();
  return DOOR_PATHS.some(door => lower === door || lower.startsWith(`${door}/`));
}

/** Returns the key of a request: the bearer token, or else x-api-key, where clients of Anthropic send it. */
function secretOf(ctx: Context): string | undefined {
  const token = BEARER.exec(ctx.get('authorization'))?.[1];
  return token ?? (ctx.get('x-api-key').trim() || undefined);
}

/** Keeps pages of other origins, allowed ones too, from logging their person in. */
function assertOwnPage({ method, headers: { origin }, state }: Context): void {
  if (method === 'GET' || method === 'HEAD' || origin === undefined || isOwnOrigin(origin, state.publicAddress)) return;
  throw new AppError('forbidden', {
    message: 'Only pages of the gateway itself may send this.',
    messageZh: '只有网关自己的页面可以发送此请求。',
  });
}
