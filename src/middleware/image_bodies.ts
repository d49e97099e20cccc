/**
 * Reads request bodies over 1 MiB, for the routes that take images and files. Few at a time, so that callers cannot fill the memory, and fewer of one key and of
 * one tenant, so that slow uploads keep nobody else out; every other body goes to the parser with the ordinary limit.
 */
import { type IMiddleware, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import type { RouteRow } from '../controller/route';
import { AppError } from '../errors';
import type { Principal } from '../port/principal';
import { isJsonBody, MAX_BODY_BYTES, MAX_IMAGE_BODY_BYTES, toBodyError, tooLargeBody } from '../wire/json_body';

type ImageFields = NonNullable<RouteRow['imagesIn']>;

/** Bodies that are read at once. Each takes about 45 MiB while it is parsed. */
const MAX_READING = 4;
const MAX_OF_TENANT = 3;
const MAX_OF_KEY = 2;
const RETRY_AFTER_MS = 1_000;

@Middleware()
export class ImageBodies implements IMiddleware<Context, NextFunction> {
  /** The callers whose bodies are being read; without a key, undefined. */
  private readonly reading: (Principal | undefined)[] = [];

  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      const row: RouteRow | undefined = ctx.state.route;
      if (row?.imagesIn && isLarge(ctx) && isJsonBody(ctx.req.headers))
        ctx.request.body = await this.readBody(ctx, row.imagesIn, row.longField);
      return next();
    };
  }

  private async readBody(ctx: Context, images: ImageFields, longField: string | undefined): Promise<unknown> {
    const length = Number(ctx.req.headers['content-length']);
    if (length > MAX_IMAGE_BODY_BYTES) throw tooLargeBody(images.fields[0], MAX_IMAGE_BODY_BYTES);
    const { principal }: { principal?: Principal } = ctx.state;
    this.assertRoom(principal, images.fields[0]);
    this.reading.push(principal);
    try {
      const body = await parseBody(ctx);
      if (isLongByImages(body, images, length)) return body;
      throw tooLargeBody(longField, MAX_BODY_BYTES);
    } finally {
      this.reading.splice(this.reading.indexOf(principal), 1);
    }
  }

  /** Throws `rate_limited`. Without keys, all programs of this machine are one caller, so shares per caller do not apply. */
  private assertRoom(caller: Principal | undefined, field: string): void {
    if (this.reading.length >= MAX_READING) throw tooManyBodies(field, MAX_READING);
    if (caller?.keyId === undefined) return;
    const ofTenant = this.reading.filter(other => other?.tenantId === caller.tenantId);
    if (ofTenant.filter(other => other?.keyId === caller.keyId).length >= MAX_OF_KEY) throw tooManyBodies(field, MAX_OF_KEY);
    if (ofTenant.length >= MAX_OF_TENANT) throw tooManyBodies(field, MAX_OF_TENANT);
  }
}

/** Returns true when only images and files make the body longer than other bodies may be. */
function isLongByImages(body: unknown, { fields, unitsOf }: ImageFields, length: number): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const given = fields.filter(field => field in body).map(field => (body as Record<string, unknown>)[field]);
  if (given.length === 0 || !unitsOf) return given.length > 0;
  return length - given.reduce<number>((units, value) => units + unitsOf(value), 0) <= MAX_BODY_BYTES;
}

/** True for an uncompressed body that states its length; any other length is unknown before the body is read. */
function isLarge({ req: { headers } }: Context): boolean {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  return encoding === 'identity' && Number(length ?? 0) > MAX_BODY_BYTES;
}

/** Node ends the request at its content length. Rejects with an AppError. */
async function parseBody(ctx: Context): Promise<unknown> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of ctx.req) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    // The body is no JSON, or the caller left before its end.
    throw toBodyError({ status: 400 }, ctx.req.headers);
  }
}

const tooManyBodies = (field: string, most: number): AppError =>
  new AppError('rate_limited', {
    param: `/${field}`,
    message: `At most ${most} large messages with images are read at once.`,
    messageZh: `最多同时读取 ${most} 条带图片的大消息。`,
    retryAfterMs: RETRY_AFTER_MS,
  });
