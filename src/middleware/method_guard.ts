/** Answers OPTIONS, and refuses a method that a known path does not have; both list its methods in Allow. Finds the route of the others. */
import { type IMiddleware, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import { AppError } from '../errors';
import { pageFile } from '../utils/page_file';
import { findRoute, routeMethods } from './route_lookup';

/** Pages and their assets, which are files and have no route. */
const PAGES = /^\/(?:(?:index|docs|ops|shared)\.html|assets\/.*)?$/;
/** Addresses inside the operator page, which reads the rest of the path itself. */
const OPS_PAGE = /^\/ops(?:\/.*)?$/i;

/** Methods in the order of the Allow header. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

@Middleware()
export class MethodGuard implements IMiddleware<Context, NextFunction> {
  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      if (OPS_PAGE.test(ctx.path)) {
        if (ctx.method === 'GET' || ctx.method === 'HEAD') return showOpsPage(ctx);
        ctx.path = '/ops.html';
      }
      const route = findRoute(ctx.method, ctx.path);
      ctx.state.route = route;
      if (route?.upload) Object.assign(ctx, { disableBodyParser: true });
      if (route) return next();
      const allowed = allowedMethods(ctx.path);
      if (allowed.length === 0 || (ctx.method !== 'OPTIONS' && allowed.includes(ctx.method))) return next();
      const list = allowed.join(', ');
      ctx.set('allow', list);
      if (ctx.method !== 'OPTIONS') {
        throw new AppError('method_not_allowed', {
          message: `The methods of ${ctx.path} are ${list}.`,
          messageZh: `${ctx.path} 支持的方法是 ${list}。`,
        });
      }
      ctx.status = 204;
    };
  }
}

function showOpsPage(ctx: Context): void {
  ctx.set('cache-control', 'no-cache');
  ctx.type = 'html';
  ctx.body = pageFile('ops', ctx.path);
}

/** Returns an empty list for a path that does not exist. */
function allowedMethods(path: string): string[] {
  const own = routeMethods(path);
  if (PAGES.test(path)) own.add('GET');
  if (own.size === 0) return [];
  own.add('OPTIONS');
  if (own.has('GET')) own.add('HEAD');
  return METHODS.filter(method => own.has(method));
}
