/** Errors and rate limits as clients of Anthropic read them. */
import type { DoorForm } from '../../controller/door_form';
import { localeOf } from '../../controller/http_request';
import { modelRateHeaders } from '../../controller/model_door/model_rate_headers';
import { setRetryHeaders } from '../../controller/model_door/retry_headers';
import type { TokenState } from '../../service/limits/rate_limits';
import { statusOf, toAnthropicError } from './anthropic_error';

export const anthropicForm: DoorForm = {
  isFor: path => path === '/v1/messages' || path.startsWith('/v1/messages/'),
  toBody(ctx, error, requestId) {
    ctx.status = statusOf(error);
    setRetryHeaders(ctx, error);
    ctx.set('request-id', requestId);
    return toAnthropicError(error, localeOf(ctx, 'en'), requestId);
  },
  rateHeaders: modelRateHeaders(toHeaders),
};

function toHeaders(what: string, { limit, remaining, resetMs }: TokenState): Record<string, string> {
  return {
    [`anthropic-ratelimit-${what}-limit`]: String(limit),
    [`anthropic-ratelimit-${what}-remaining`]: String(remaining),
    [`anthropic-ratelimit-${what}-reset`]: new Date(Date.now() + resetMs).toISOString(),
  };
}
