/** Another form of errors than that of /api/v1, for routes whose clients expect one. */
import type { Context } from '@midwayjs/koa';
import type { AppError } from '../errors';

export interface ErrorForm {
  /** Returns true for a path whose errors have this form. */
  isFor(path: string): boolean;
  /** Returns the body, and may set headers. The status, retry-after and x-should-retry are set already. */
  toBody(ctx: Context, error: AppError, requestId: string): object;
}
