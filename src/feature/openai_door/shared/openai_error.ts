/** Errors in the shape of OpenAI, so that its clients throw their typed classes and retry as often as it makes sense. */
import type { ErrorForm } from '../../../controller/error_form';
import { localeOf } from '../../../controller/http_request';
import { type AppError, type ErrorCode, messageIn } from '../../../errors';
import type { Locale } from '../../../port/store/sessions';

export interface OpenAiError {
  message: string;
  type: string;
  param: string | null;
  code: string;
}

/** OpenAI's own words for some of our codes. */
const WORDS: Partial<Record<ErrorCode, Pick<OpenAiError, 'type' | 'code'>>> = {
  unauthenticated: { type: 'invalid_request_error', code: 'invalid_api_key' },
  rate_limited: { type: 'requests', code: 'rate_limit_exceeded' },
  quota_exceeded: { type: 'insufficient_quota', code: 'insufficient_quota' },
};

/** Converts an error. `param` names a field of the request, or a deeper field by its JSON pointer; never a path of the model server. */
export function toOpenAiError(error: AppError, locale: Locale): OpenAiError {
  const { code, param } = error;
  const message = messageIn(error, locale);
  const type = error.status >= 500 ? 'server_error' : 'invalid_request_error';
  const isModel = code === 'not_found' && param === '/model';
  const known = WORDS[code] ?? { type, code: isModel ? 'model_not_found' : code };
  return { message, ...known, param: param === undefined ? null : param.replace(/^\/([^/]+)$/, '$1') };
}

/** A refused request may be sent again when that helps: OpenAI's clients retry every 409, 429 and 5xx unless x-should-retry forbids it. */
export const openAiErrorForm: ErrorForm = {
  isFor: path => path === '/v1' || path.startsWith('/v1/'),
  toBody(ctx, error) {
    const retry = shouldRetry(error, ctx.state.isRunStored === true);
    if (retry) ctx.set('x-should-retry', retry);
    if (error.retryAfterMs !== undefined) ctx.set('retry-after-ms', String(error.retryAfterMs));
    return { error: toOpenAiError(error, localeOf(ctx, 'en')) };
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
