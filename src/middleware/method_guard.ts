/** Answers OPTIONS, and refuses a method that a known path does not have; both list its methods in Allow. */
import { type IMiddleware, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import { ROUTES } from '../controller/docs_controller';
import { AppError } from '../errors';

interface KnownPath {
  pattern: RegExp;
  methods: readonly string[];
}

/** Pages and their assets, which are files and have no route. */
const PAGES: KnownPath = { pattern: /^\/(?:(?:index|docs)\.html|assets\/.*)?$/, methods: ['GET'] };

/** Methods in the order of the Allow header. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const KNOWN_PATHS: readonly KnownPath[] = [
  ...ROUTES.map(({ path, method }) => ({
    pattern: toPattern(path),
    methods: [method.toUpperCase()],
  })),
  PAGES,
];

/** `:name` matches one part of a path, `:name(.*)` the rest of it. */
function toPattern(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replaceAll(/:\w+\(\\\.\*\)/g, '.+')
    .replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${source}/?$`);
}

@Middleware()
export class MethodGuard implements IMiddleware<Context, NextFunction> {
  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      const allowed = allowedMethods(ctx.path);
      if (allowed.length === 0 || (ctx.method !== 'OPTIONS' && allowed.includes(ctx.method))) return next();
      const list = allowed.join(', ');
      ctx.set('allow', list);
      if (ctx.method !== 'OPTIONS') throw new AppError('method_not_allowed', { message: `The methods of ${ctx.path} are ${list}.` });
      ctx.status = 204;
    };
  }

  static getName(): string {
    return 'methodGuard';
  }
}

/** Returns an empty list for a path that does not exist. */
function allowedMethods(path: string): string[] {
  const own = new Set(KNOWN_PATHS.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : [])));
  if (own.size === 0) return [];
  own.add('OPTIONS');
  if (own.has('GET')) own.add('HEAD');
  return METHODS.filter(method => own.has(method));
}
