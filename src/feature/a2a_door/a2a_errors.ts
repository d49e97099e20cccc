/** Errors of the A2A door, as JSON-RPC has them. */
import type { DoorForm } from '../../controller/door_form';
import { localeOf } from '../../controller/http_request';
import { type ErrorCode, messageIn, toAppError, toWireError } from '../../errors';
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
    const data = toWireError(error, requestId, localeOf(ctx, 'en'));
    return { jsonrpc: '2.0', id: null, error: { code: NUMBERS[error.code] ?? SERVER_ERROR, message: data.message, data } };
  },
};

/** Turns an error of the services into one that the SDK sends; errors of the SDK stay as they are. */
export function toA2aError(thrown: unknown, locale: Locale): Error {
  const sdk = a2aSdk();
  if (thrown instanceof sdk.A2AError) return thrown;
  const error = toAppError(thrown);
  const { code } = error;
  const message = messageIn(error, locale);
  if (WRONG_PARAMETERS.includes(code)) return new sdk.RequestMalformedError({ message, metadata: { code }, cause: thrown });
  const envelope = { code: NUMBERS[code] ?? SERVER_ERROR, message };
  return new sdk.JsonRpcTransportError({ jsonrpc: '2.0', id: null, error: envelope });
}
