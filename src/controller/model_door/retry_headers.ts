/** Headers that tell clients of model APIs whether and when to retry. They retry every 409, 429 and 5xx unless x-should-retry forbids it. */
import type { Context } from '@midwayjs/koa';
import type { AppError } from '../../errors';

/** Sets the headers for an error. */
export function setRetryHeaders(ctx: Context, error: AppError): void {
  const retry = shouldRetry(error, ctx.state.isRunStored === true);
  if (retry) ctx.set('x-should-retry', retry);
  if (error.retryAfterMs !== undefined) ctx.set('retry-after-ms', String(error.retryAfterMs));
}

/**
 * Returns the value of x-should-retry; undefined for an error that no client retries. A retry of a stored run joins it: that helps after a stop of
 * the gateway, and otherwise finds the same failure.
 */
function shouldRetry({ code, status, retryable }: AppError, isRunStored: boolean): 'true' | 'false' | undefined {
  if (status < 500 && ![408, 409, 429].includes(status)) return undefined;
  return retryable && status !== 409 && (!isRunStored || code === 'draining') ? 'true' : 'false';
}
