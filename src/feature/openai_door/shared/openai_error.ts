/** Errors in the shape of OpenAI, so that its clients throw their typed classes. */
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
