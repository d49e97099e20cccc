/** Errors and rate limits as clients of OpenAI read them. */
import type { DoorForm } from '../../controller/door_form';
import { localeOf } from '../../controller/http_request';
import { modelRateHeaders } from '../../controller/model_door/model_rate_headers';
import { setRetryHeaders } from '../../controller/model_door/retry_headers';
import type { TokenState } from '../../service/limits/rate_limits';
import { toOpenAiError } from './shared/openai_error';

export const openAiForm: DoorForm = {
  isFor: path => path === '/v1' || path.startsWith('/v1/'),
  toBody(ctx, error) {
    setRetryHeaders(ctx, error);
    return { error: toOpenAiError(error, localeOf(ctx, 'en')) };
  },
  rateHeaders: modelRateHeaders(toHeaders),
};

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
