/** Errors and rate limits as clients of OpenAI read them. They retry every 409, 429 and 5xx unless x-should-retry forbids it. */
import type { DoorForm } from '../../controller/door_form';
import { localeOf } from '../../controller/http_request';
import type { AppError } from '../../errors';
import type { TokenState } from '../../service/limits/rate_limits';
import { toOpenAiError } from './shared/openai_error';

export const openAiForm: DoorForm = {
  isFor: path => path === '/v1' || path.startsWith('/v1/'),
  toBody(ctx, error) {
    const retry = shouldRetry(error, ctx.state.isRunStored === true);
    if (retry) ctx.set('x-should-retry', retry);
    if (error.retryAfterMs !== undefined) ctx.set('retry-after-ms', String(error.retryAfterMs));
    return { error: toOpenAiError(error, localeOf(ctx, 'en')) };
  },
  /** The limit with the fewest requests left, and the tokens of the day when they are limited. */
  rateHeaders(states, tokens) {
    const [tightest] = [...states].sort((a, b) => a.remaining - b.remaining);
    return { ...(tightest && toHeaders('requests', tightest)), ...(tokens && toHeaders('tokens', tokens)) };
  },
};

/**
 * Returns the value of x-should-retry; undefined for an error that no client retries. A retry of a stored run joins it: that helps after a stop of
 * the gateway, and otherwise finds the same failure.
 */
function shouldRetry({ code, status, retryable }: AppError, isRunStored: boolean): 'true' | 'false' | undefined {
  if (status < 500 && ![408, 409, 429].includes(status)) return undefined;
  return retryable && status !== 409 && (!isRunStored || code === 'draining') ? 'true' : 'false';
}

function toHeaders(what: string, { limit, remaining, resetMs }: TokenState): Record<string, string> {
  return {
    [`x-ratelimit-limit-${what}`]: String(limit),
    [`x-ratelimit-remaining-${what}`]: String(remaining),
    [`x-ratelimit-reset-${what}`]: durationText(resetMs),
  };
}

/** As OpenAI writes durations: 6m0s, 12s. */
function durationText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds % 60}s`;
}
