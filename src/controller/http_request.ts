/** Reads REST requests: bodies, queries and headers become checked values. */

import { Readable } from 'node:stream';
import type { Context } from '@midwayjs/koa';
import type { Static, TSchema } from '@sinclair/typebox';
import { AppError, invalidField } from '../errors';
import type { Principal } from '../port/principal';
import type { Page, PageRequest } from '../port/store/page';
import type { Locale } from '../port/store/sessions';
import type { TraceContext } from '../port/trace_context';
import { ownerOf } from '../service/access/session_access';
import type { LoginClient } from '../service/auth/login_service';
import { OncePerKey } from '../service/once_per_key';
import type { RequestKey } from '../service/run/start_request';
import type { ExportedItem } from '../service/session/data_export';
import { fingerprintOf } from '../utils/fingerprint';
import { parseUtcTime } from '../utils/utc_time';
import { decode } from '../wire/decode';
import { hasBody, isJsonBody } from '../wire/json_body';
import { toExportLines } from '../wire/wire_export';

/** Returns the caller, whom middleware/principal_guard.ts has admitted. Throws `unauthenticated` on a route that is open to everybody. */
export function principalOf(ctx: Context): Principal {
  const { principal }: { principal?: Principal } = ctx.state;
  if (!principal) throw new AppError('unauthenticated');
  return principal;
}

/** Returns the tenant that a request belongs to. */
export const tenantOf = (ctx: Context): string => principalOf(ctx).tenantId;

/** Returns the JSON body, {} when there is none. Throws `unsupported_media_type` for a body of another type. */
export function anyBodyOf(ctx: Context): unknown {
  const { headers } = ctx.req;
  if (hasBody(headers) && !isJsonBody(headers)) throw new AppError('unsupported_media_type');
  const { body } = ctx.request;
  return body === '' ? {} : body;
}

/** Returns the JSON body in the form of `schema`. Throws `invalid_request` or `unsupported_media_type`. */
export const bodyOf = <T extends TSchema>(ctx: Context, schema: T): Static<T> => decode(schema, anyBodyOf(ctx));

/** Returns the query in the form of `schema`. Throws `invalid_request`. */
export const queryOf = <T extends TSchema>(ctx: Context, schema: T): Static<T> => decode(schema, { ...ctx.query });

/** Returns the trace that the caller named in `traceparent`; undefined when it named none. */
export const traceOf = (ctx: Context): TraceContext | undefined => ctx.state.trace;

/** Returns the names by which the log and traces know the request. */
export const originOf = (ctx: Context): { trace: TraceContext | undefined; requestId: string | undefined } => ({
  trace: traceOf(ctx),
  requestId: ctx.state.requestId,
});

/** Returns from where a person logs in, or changes how to log in. */
export const loginClientOf = (ctx: Context): LoginClient => ({
  address: ctx.state.clientAddress,
  userAgent: ctx.get('user-agent') || undefined,
});

const MAX_KEY_LENGTH = 255;

/** Reads Idempotency-Key for an operation that creates something. `asked`: everything that distinguishes two requests of the operation. */
export function onceOf(ctx: Context, operation: string, asked: unknown): OncePerKey {
  const key = idempotencyKeyOf(ctx);
  return new OncePerKey(
    key === undefined ? undefined : { key: `rest:${spaceOf(ctx, key)}${key}`, fingerprint: fingerprintOf({ operation, asked }) },
  );
}

/** Each person has keys of their own: the same key of another person must not lead to what that person made. */
function personOf(ctx: Context): string {
  const { principal }: { principal?: Principal } = ctx.state;
  const handle = ownerOf(principal?.keyName);
  return handle === undefined ? '' : `${handle}:`;
}

/** Keys of services that look like those of a person stand apart from them. */
const spaceOf = (ctx: Context, key: string): string => personOf(ctx) || (key.startsWith('@') ? ':' : '');

/** Marks the answer of a request that repeats an earlier one. */
export function markReplay(ctx: Context, { replayedId }: OncePerKey): void {
  if (replayedId !== undefined) ctx.set('idempotency-replayed', 'true');
}

function idempotencyKeyOf(ctx: Context): string | undefined {
  const key = ctx.get('idempotency-key');
  if (key.length <= MAX_KEY_LENGTH) return key === '' ? undefined : key;
  throw new AppError('invalid_request', {
    param: '/idempotency-key',
    message: `Idempotency-Key: at most ${MAX_KEY_LENGTH} characters.`,
    messageZh: `Idempotency-Key：最多 ${MAX_KEY_LENGTH} 个字符。`,
  });
}

/**
 * Reads Idempotency-Key. OpenAI's clients mark retries without a key; then the same body means the same run. `asked`: everything that the request
 * asks for.
 */
export function requestKeyOf(ctx: Context, asked: unknown): RequestKey | undefined {
  const key = idempotencyKeyOf(ctx);
  if (key !== undefined) return { key: `rest:${spaceOf(ctx, key)}${key}`, fingerprint: fingerprintOf(asked) };
  const tries = ctx.get('x-stainless-retry-count');
  if (!/^[0-9]{1,3}$/.test(tries)) return undefined;
  const fingerprint = fingerprintOf(asked);
  return { key: `same:${personOf(ctx)}${fingerprint}`, fingerprint, retry: { isRepeat: Number(tries) > 0 } };
}

const MAX_PAGE = 1_000;
const DEFAULT_PAGE = 50;
/** Most bytes of a page. A page ends here even when it has fewer rows than `limit`, so that one request cannot block the event loop for long. */
const PAGE_BYTES = 1024 * 1024;
const MAX_OBJECT_BYTES = 16 * 1024;

/** Reads `limit` (1 to 1,000, default 50) and `cursor` of a decoded query. Throws `invalid_request`. */
export function pageOf(query: { limit?: string; cursor?: string }): PageRequest {
  const limit = query.limit === undefined ? DEFAULT_PAGE : Number(query.limit);
  if (limit < 1 || limit > MAX_PAGE) throw invalidField('/limit', `must be 1 to ${MAX_PAGE}.`, `必须在 1 到 ${MAX_PAGE} 之间。`);
  return { limit, maxBytes: PAGE_BYTES, cursor: query.cursor };
}

/** Reads `since`, or another field, as milliseconds since 1970. Throws `invalid_request` for a time that does not exist. */
export function sinceOf(text: string, field = 'since'): number {
  const time = parseUtcTime(text);
  if (time !== undefined) return time;
  throw invalidField(
    `/${field}`,
    'must be a time that exists, such as 2026-01-31T08:00:00Z.',
    '必须是存在的时间，例如 2026-01-31T08:00:00Z。',
  );
}

/** Throws `invalid_request` for metadata over 16 KiB. */
export function checkMetadata({ metadata }: { metadata?: Record<string, unknown> }): void {
  if (metadata !== undefined) checkObjectSize('metadata', metadata);
}

/** Throws `invalid_request` for a field of free content over 16 KiB. */
export function checkObjectSize(field: string, value: object): void {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= MAX_OBJECT_BYTES) return;
  throw invalidField(
    `/${field}`,
    `must have at most ${MAX_OBJECT_BYTES} bytes as JSON; it has ${bytes}.`,
    `JSON 形式最多 ${MAX_OBJECT_BYTES} 字节，现有 ${bytes} 字节。`,
  );
}

/** Sends exported data as a file of JSON lines, while it is being read. */
export function sendExport(ctx: Context, name: string, items: AsyncIterable<ExportedItem>): Readable {
  ctx.set('content-type', 'application/x-ndjson; charset=utf-8');
  ctx.set('content-disposition', `attachment; filename="${name}.jsonl"`);
  return Readable.from(toExportLines(items));
}

/** Encodes the rows of a page to their wire form. */
export function encodePage<T, W>(page: Page<T>, encode: (row: T) => W): Page<W> {
  return { data: page.data.map(encode), nextCursor: page.nextCursor };
}

/** Returns the language of an answer: the one that Accept-Language prefers, English when it names none that exists; `fallback` without the header. */
export function localeOf(ctx: Context, fallback: Locale): Locale {
  ctx.vary('Accept-Language');
  if (ctx.get('accept-language') === '') return fallback;
  const preferred = fallback === 'en' ? ctx.acceptsLanguages('en', 'zh-CN', 'zh') : ctx.acceptsLanguages('zh-CN', 'zh', 'en');
  return typeof preferred === 'string' && preferred.startsWith('zh') ? 'zh-CN' : 'en';
}

/** As `localeOf`, for an answer that is written in that language. */
export function writtenLocaleOf(ctx: Context, fallback: Locale): Locale {
  const locale = localeOf(ctx, fallback);
  ctx.set('content-language', locale);
  return locale;
}

export function wantsEventStream(ctx: Context): boolean {
  ctx.vary('Accept');
  return ctx.accepts('application/json', 'text/event-stream') === 'text/event-stream';
}

/** Returns the header Last-Event-ID, the cursor of an event stream. Throws `invalid_request`. */
export function lastEventIdOf(ctx: Context): string | undefined {
  const id = ctx.get('last-event-id');
  if (id === '') return undefined;
  if (/^[0-9]{1,9}$/.test(id)) return id;
  throw new AppError('invalid_request', {
    param: '/last-event-id',
    message: 'Last-Event-ID: must be the seq of an event of this run.',
    messageZh: 'Last-Event-ID：必须是此运行某个事件的 seq。',
  });
}
