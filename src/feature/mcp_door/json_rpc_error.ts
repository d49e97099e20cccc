/** Errors of requests to the MCP door as JSON-RPC has them; `data` is the error of the other doors. */

import type { DoorForm } from '../../controller/door_form';
import { localeOf } from '../../controller/http_request';
import { type AppError, type ErrorCode, toWireError, type WireError } from '../../errors';
import type { Locale } from '../../port/store/sessions';

export interface JsonRpcErrorBody {
  jsonrpc: '2.0';
  /** The request has not been read as a message, so its id is unknown. */
  id: null;
  error: { code: number; message: string; data: WireError };
}

const SERVER_ERROR = -32_000;
/** JSON-RPC numbers of error codes; codes without a number here are SERVER_ERROR. The SDK uses -32001 for a session that it does not know. */
const NUMBERS: Partial<Record<ErrorCode, number>> = { invalid_request: -32_600, not_found: -32_001, internal: -32_603 };

function toJsonRpcError(error: AppError, requestId: string, locale: Locale): JsonRpcErrorBody {
  const data = toWireError(error, requestId, locale);
  return { jsonrpc: '2.0', id: null, error: { code: NUMBERS[error.code] ?? SERVER_ERROR, message: data.message, data } };
}

const PATH = /^\/mcp\/?$/i;

export const mcpForm: DoorForm = {
  isFor: path => PATH.test(path),
  toBody: (ctx, error, requestId) => toJsonRpcError(error, requestId, localeOf(ctx, 'en')),
};
