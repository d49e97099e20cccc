/** Other forms of answers than those of /api/v1, for routes whose clients expect them. */
import type { Context } from '@midwayjs/koa';
import type { AppError } from '../errors';
import type { RateState, TokenState } from '../service/limits/rate_limits';

export interface DoorForm {
  /** Returns true for a path whose answers have this form. */
  isFor(path: string): boolean;
  /** Returns the body of an error, and may set headers. The status, retry-after and x-should-retry are set already. */
  toBody(ctx: Context, error: AppError, requestId: string): object | string;
  /** Returns headers about rate limits, beside those of every door. `tokens`: those of the day, where they are limited. */
  rateHeaders?(states: readonly RateState[], tokens: TokenState | undefined): Record<string, string>;
}
