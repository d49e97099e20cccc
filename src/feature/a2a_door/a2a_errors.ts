/** Errors of the A2A door, as JSON-RPC has them. */
import type { DoorForm } from '../../controller/door_form';
import { localeOf } from '../../controller/http_request';
import { type AppError, type ErrorCode, messageIn, toAppError } from '../../errors';
import type { Locale } from '../../port/store/sessions';
import { a2aSdk } from './a2a_sdk';

const SERVER_ERROR = -32_000;
/** JSON-RPC numbers of error codes; codes without a number here are SERVER_ERROR. */
const NUMBERS: Partial<Record<ErrorCode, number>> = { invalid_request: -32_600, internal: -32_603 };
/** Codes that say that the parameters of a method are wrong. */
const WRONG_PARAMETERS: readonly ErrorCode[] = [
  'invalid_request',
  'not_found',
  'too_large',
  'idempotency_mismatch',
  'clarification_closed',
];

/** Errors of requests that no method has answered: of keys, limits and unreadable bodies. */
export const a2aForm: DoorForm = {
  isFor: path => /^\/a2a\/?$/i.test(path),
  toBody: (ctx, error, requestId) => {
    const message = messageIn(error, localeOf(ctx, 'en'));
    const data = [errorInfoOf(error, { requestId })];
    return { jsonrpc: '2.0', id: null, error: { code: NUMBERS[error.code] ?? SERVER_ERROR, message, data } };
  },
};

/** Makes the error for parameters that no method takes. */
export const malformed = (message: string): Error => new (a2aSdk().RequestMalformedError)(message);

/** Turns an error of the services into one that the SDK sends; errors of the SDK stay as they are. */
export function toA2aError(thrown: unknown, locale: Locale): Error {
  const sdk = a2aSdk();
  if (thrown instanceof sdk.A2AError) return thrown;
  const error = toAppError(thrown);
  const { code } = error;
  const message = messageIn(error, locale);
  if (WRONG_PARAMETERS.includes(code)) return new sdk.RequestMalformedError({ message, metadata: { code }, cause: thrown });
  const envelope = { code: NUMBERS[code] ?? SERVER_ERROR, message };
  const answer = new sdk.JsonRpcTransportError({ jsonrpc: '2.0', id: null, error: envelope });
  // The SDK sends the details of an error only under a name that it knows.
  return Object.assign(answer, { name: 'RequestMalformedError', toErrorInfo: () => errorInfoOf(error) });
}

/** Details in the form of google.rpc.ErrorInfo, whose values are texts. */
function errorInfoOf({ code, param, retryAfterMs }: AppError, more: { requestId?: string } = {}): object {
  const metadata = { code, param, retryAfterMs: retryAfterMs?.toString(), ...more };
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code.toUpperCase(), domain: 'neta-gateway', metadata };
}
