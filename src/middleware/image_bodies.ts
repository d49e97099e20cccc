/**
 * Reads request bodies over 1 MiB, for the routes that take images. Few at a time, so that callers cannot fill the memory; every other body goes to the
 * parser with the ordinary limit.
 */
import { type IMiddleware, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import type { RouteRow } from '../controller/route';
import { AppError } from '../errors';
import { isJsonBody, MAX_BODY_BYTES, MAX_IMAGE_BODY_BYTES, toBodyError, tooLargeBody } from '../wire/json_body';

type ImageField = NonNullable<RouteRow['imagesIn']>;

/** Bodies that are read at once. One takes about 45 MiB while it is parsed. */
const MAX_READING = 4;
const RETRY_AFTER_MS = 1_000;

@Middleware()
export class ImageBodies implements IMiddleware<Context, NextFunction> {
  private reading = 0;

  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      const row: RouteRow | undefined = ctx.state.route;
      if (row?.imagesIn && isLarge(ctx) && isJsonBody(ctx.req.headers)) ctx.request.body = await this.readBody(ctx, row.imagesIn);
      return next();
    };
  }

  private async readBody(ctx: Context, field: ImageField): Promise<unknown> {
    const length = Number(ctx.req.headers['content-length']);
    if (length > MAX_IMAGE_BODY_BYTES) throw tooLargeBody(ctx.path, { imagesIn: field });
    if (this.reading >= MAX_READING) throw tooManyBodies(field);
    this.reading += 1;
    try {
      const body = await parseBody(ctx);
      if (isLongByImages(body, field, length)) return body;
      throw tooLargeBody(ctx.path);
    } finally {
      this.reading -= 1;
    }
  }

  static getName(): string {
    return 'imageBodies';
  }
}

/** Only images may make a body longer than others. */
function isLongByImages(body: unknown, field: ImageField, length: number): boolean {
  if (typeof body !== 'object' || body === null || !(field in body)) return false;
  if (field === 'images') return true;
  // The schema limits each field beside `images`. Messages may have texts of any length, so their images are measured.
  const { imageUnitsOf }: typeof import('../wire/openai/image_units') = require('../wire/openai/image_units');
  return length - imageUnitsOf((body as Record<string, unknown>)[field]) <= MAX_BODY_BYTES;
}

/** True for a body that says its length and is not compressed; the length of any other is not known before it is read. */
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
    // Not JSON, or the caller left in the middle of it.
    throw toBodyError({ status: 400 }, { headers: ctx.req.headers, path: ctx.path });
  }
}

const tooManyBodies = (field: ImageField): AppError =>
  new AppError('rate_limited', {
    param: `/${field}`,
    message: `At most ${MAX_READING} large messages with images are read at once.`,
    messageZh: `最多同时读取 ${MAX_READING} 条带图片的大消息。`,
    retryAfterMs: RETRY_AFTER_MS,
  });
