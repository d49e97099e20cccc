/** Errors in the shape of Anthropic, so that its clients throw their typed classes (https://docs.anthropic.com/en/api/errors). */
import { type AppError, type ErrorCode, messageIn } from '../../errors';
import type { Locale } from '../../port/store/sessions';

type AnthropicErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'timeout_error'
  | 'api_error'
  | 'overloaded_error';

export interface AnthropicError {
  type: 'error';
  /** `details`: the code of the gateway, or Anthropic's word for it; and the JSON pointer of the field that is wrong. */
  error: { type: AnthropicErrorType; message: string; details: { error_code: ErrorCode | typeof NO_THREADS; param?: string | undefined } };
  request_id: string;
}

/** The reason of an error for a request that continues a conversation by id. Clients then send the whole conversation. */
export const NO_THREADS = 'thread_unsupported_request';

const TYPES: Readonly<Record<number, AnthropicErrorType>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

/** The status with which Anthropic says that it is overloaded. */
const OVERLOADED = 529;

/** Returns the status of an error: the usual one, or Anthropic's own for a model server that is overloaded. */
export const statusOf = ({ code, status }: AppError): number => (code === 'model_overloaded' ? OVERLOADED : status);

export function toAnthropicError(error: AppError, locale: Locale, requestId: string): AnthropicError {
  const { code, param, status, details } = error;
  const type = code === 'model_overloaded' ? 'overloaded_error' : (TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'));
  return {
    type: 'error',
    error: {
      type,
      message: messageIn(error, locale),
      details: { error_code: details?.['reason'] === NO_THREADS ? NO_THREADS : code, param },
    },
    request_id: requestId,
  };
}
