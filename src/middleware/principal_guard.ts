/** Finds out who sent an HTTP request, and refuses it when the key of the caller lacks the scope of the route. */
import { type IMiddleware, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import type { RouteRow } from '../controller/route';
import { AppError } from '../errors';
import { hasScope, LOCAL_PRINCIPAL } from '../port/principal';
import { assertScope } from '../wire/assert_scope';

/** Paths below which everything belongs to a door: a request without a route is served there to no other than an admin. */
const DOOR_PATH = /^\/(?:api|v1|mcp|agui|ops)(?:\/|$)/i;

@Middleware()
export class PrincipalGuard implements IMiddleware<Context, NextFunction> {
  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      // The guard of methods has looked for it.
      const row: RouteRow | undefined = ctx.state.route;
      // Pages are open, and so are routes such as /healthz.
      if (row ? row.scope === 'open' : !DOOR_PATH.test(ctx.path)) return next();
      const principal = LOCAL_PRINCIPAL;
      if (row) assertScope(principal, row.scope);
      else if (!hasScope(principal, 'admin')) throw new AppError('not_found');
      ctx.state.principal = principal;
      return next();
    };
  }

  static getName(): string {
    return 'principalGuard';
  }
}
