/**
 * Lets a request meet only the routers below whose prefix it lies. The framework adds one router for each prefix of a controller, each as a
 * middleware of its own that compares the path with all its routes: a request to start a run met 14 of them before its own.
 */
import type { IMiddlewareManager } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';

type Router = (ctx: Context, next: NextFunction) => unknown;

/** The name that the framework gives to a router. */
const ROUTER_NAME = /^midwayController\((.*)\)$/;

/** Replaces the routers in the list by one function, in their order. Throws when there are none. */
export function joinRouters(middleware: IMiddlewareManager<Context, NextFunction, unknown>): void {
  const routers = [...middleware.getNames()].flatMap(name => {
    const [, prefix] = ROUTER_NAME.exec(name) ?? [];
    return prefix === undefined ? [] : [{ start: withSlash(prefix), serve: middleware.remove(name) as Router }];
  });
  if (routers.length === 0) throw new Error('The framework has added no router, or has changed the names of routers.');
  middleware.insertLast(function routersByPrefix(ctx: Context, next: NextFunction) {
    const path = withSlash(ctx.path);
    const near = routers.filter(({ start }) => path.startsWith(start));
    const serveFrom = (index: number): unknown => {
      const router = near[index];
      return router ? router.serve(ctx, async () => serveFrom(index + 1)) : next();
    };
    return serveFrom(0);
  });
}

/** Routers ignore the case and a slash at the end. */
const withSlash = (path: string): string => `${path.replace(/\/$/, '')}/`.toLowerCase();
