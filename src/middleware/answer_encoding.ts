/** Completes the answer of a route: links between pages, ETag, gzip, and the headers of a deprecated route. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type IMiddleware, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import type { RouteRow } from '../controller/route';

/** Size in bytes from which on gzip saves more than it costs. */
const GZIP_FROM = 1_024;
const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/;

const compress = promisify(gzip);

@Middleware()
export class AnswerEncoding implements IMiddleware<Context, NextFunction> {
  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      const route: RouteRow | undefined = ctx.state.route;
      if (!route) return next();
      if (route.deprecated) announceEnd(ctx, route.deprecated);
      await next();
      // An event stream has written its answer itself.
      if (ctx.respond === false || ctx.status >= 400) return;
      if (route.answers[ctx.status]?.page || 'cursor' in (route.query?.properties ?? {})) linkPages(ctx, route);
      await encode(ctx, route);
    };
  }
}

/** RFC 9745 (seconds since 1970) and RFC 8594 (an HTTP date). */
function announceEnd(ctx: Context, { since, sunset, link }: NonNullable<RouteRow['deprecated']>): void {
  ctx.set('deprecation', `@${Math.floor(Date.parse(since) / 1_000)}`);
  if (sunset !== undefined) ctx.set('sunset', new Date(sunset).toUTCString());
  if (link !== undefined) ctx.append('link', `<${link}>; rel="deprecation"`);
}

/** Adds `hasMore` to a page, and the link to the next one (RFC 8288). */
function linkPages(ctx: Context, { query }: RouteRow): void {
  if (!isPage(ctx.body)) return;
  const { nextCursor, ...page } = ctx.body;
  ctx.body = { ...page, nextCursor, hasMore: nextCursor !== undefined };
  if (nextCursor === undefined) return;
  const next = new URLSearchParams(ctx.querystring);
  next.set('cursor' in (query?.properties ?? {}) ? 'cursor' : 'after', nextCursor);
  ctx.append('link', `<${ctx.state.basePath}${ctx.path}?${next}>; rel="next"`);
}

/** The answer to HEAD for an event stream is no page. */
const isPage = (body: unknown): body is { data: unknown[]; nextCursor?: string } =>
  typeof body === 'object' && body !== null && Array.isArray((body as { data?: unknown }).data);

async function encode(ctx: Context, { isDocument }: RouteRow): Promise<void> {
  const bytes = bytesOf(ctx);
  if (bytes === undefined || ctx.response.get('content-encoding') !== '') return;
  if (isDocument) {
    // The tag is weak: it is the same with and without compression.
    ctx.set('etag', `W/"${hash('sha1', bytes, 'base64url')}"`);
    if (ctx.response.get('cache-control') === '') ctx.set('cache-control', 'private, no-cache');
  }
  const isText = TEXT_TYPE.test(ctx.response.get('content-type'));
  if (isText && bytes.length >= GZIP_FROM) ctx.vary('Accept-Encoding');
  if (isDocument && isKnown(ctx)) {
    ctx.status = 304;
    return;
  }
  if (!isText || bytes.length < GZIP_FROM || ctx.method === 'HEAD' || ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  const type = ctx.response.get('content-type');
  ctx.body = await compress(bytes);
  ctx.set({ 'content-type': type, 'content-encoding': 'gzip' });
}

/**
 * RFC 9110, 13.1.2: true when the caller has this very document. `ctx.fresh` is not used: it would obey `Cache-Control: no-cache`, which is for
 * caches and which fetch of Node and of browsers adds to every request with If-None-Match.
 */
function isKnown(ctx: Context): boolean {
  if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.status !== 200) return false;
  const known = ctx.get('if-none-match').split(',');
  return known.some(tag => tag.trim() === '*' || toStrongTag(tag) === toStrongTag(ctx.response.get('etag')));
}

const toStrongTag = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Returns the bytes of a body that is complete; undefined for a stream and for no body. JSON is encoded here, and only once. */
function bytesOf(ctx: Context): string | Buffer | undefined {
  const { body } = ctx;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  if (typeof body !== 'object' || body === null || 'pipe' in body) return undefined;
  const text = JSON.stringify(body);
  const type = ctx.response.get('content-type') || 'application/json; charset=utf-8';
  ctx.body = text;
  ctx.set('content-type', type);
  return text;
}
