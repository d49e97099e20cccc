/**
 * Refuses a request with unknown query parameters (400), one whose answer the caller cannot read (406), a body that the route would ignore (415, 400), and a caller whose key has ended by
 * now (401). Nothing is stored before.
 */
import { type IMiddleware, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import type { RouteRow } from '../controller/route';
import { AppError, invalidField, PROBLEM_TYPE } from '../errors';
import { hasBody, isJsonBody } from '../wire/json_body';
import { assertKnownQuery } from './query_check';

const JSON_TYPE = 'application/json';

@Middleware()
export class Negotiation implements IMiddleware<Context, NextFunction> {
  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      const route: RouteRow | undefined = ctx.state.route;
      // The key was revoked while the body arrived.
      if (ctx.state.isOver) throw new AppError('unauthenticated');
      if (route) {
        assertKnownQuery(route, ctx.query);
        assertReadable(ctx, route);
        assertNoBody(ctx, route);
      }
      return next();
    };
  }
}

/** Probes send any Accept header, and look at the status alone. */
const isProbe = (path: string): boolean => path === '/healthz' || path === '/readyz';

function assertReadable(ctx: Context, { path, answers }: RouteRow): void {
  const { accept } = ctx.headers;
  if (accept === undefined || accept.includes('*/*') || isProbe(path)) return;
  const types = typesOf(answers);
  if (types.length === 0 || ctx.accepts(types) !== false) return;
  const shown = types.filter(type => type !== PROBLEM_TYPE).join(', ');
  throw new AppError('not_acceptable', {
    message: `This route answers ${shown}; Accept allows none of them.`,
    messageZh: `此路由以 ${shown} 响应，而 Accept 不允许其中任何一种。`,
    details: { types: shown.split(', ') },
  });
}

/** Returns the media types of the answers; none when a route does not tell, or answers without a body. */
function typesOf(answers: RouteRow['answers']): string[] {
  const types = new Set<string>();
  for (const { json, page, lines, bytes, events } of Object.values(answers)) {
    if (json || page) types.add(JSON_TYPE).add(PROBLEM_TYPE);
    if (lines) types.add('application/x-ndjson');
    if (events) types.add('text/event-stream');
    for (const type of bytes ?? []) types.add(type);
  }
  return [...types];
}

/**
 * Refuses a body for a route that ignores it, because the caller would lose what it meant. Methods without a body rule may take bytes of any type.
 */
function assertNoBody(ctx: Context, { method, body, upload }: RouteRow): void {
  if (method !== 'post' || body || upload || !hasBody(ctx.req.headers)) return;
  if (!isJsonBody(ctx.req.headers)) throw new AppError('unsupported_media_type');
  const given: unknown = ctx.request.body;
  const isObject = typeof given === 'object' && given !== null;
  const [field] = isObject ? Object.keys(given) : [];
  if (isObject ? field === undefined : !given) return;
  const param = field === undefined || Array.isArray(given) ? '/' : `/${field}`;
  throw invalidField(param, 'this route takes no body.', '此路由不接受请求体。');
}
