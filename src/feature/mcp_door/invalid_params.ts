/** Errors of the protocol in the place of errors of the services. */
import { AppError, toAppError, toWireError, type WireError } from '../../errors';
import type { LogError } from '../../port/logger';

/** JSON-RPC numbers of wrong parameters and of faults of the gateway. */
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** An error of a service. The SDK sends `code` and `data`. */
class ProtocolError extends Error {
  readonly data: WireError;

  constructor(
    readonly code: number,
    error: AppError,
    requestId: string,
  ) {
    super(error.message, { cause: error });
    this.data = toWireError(error, requestId);
  }
}

/** Parameters of a request that cannot be used. */
export class InvalidParams extends ProtocolError {
  constructor(error: AppError, requestId: string) {
    super(INVALID_PARAMS, error, requestId);
  }
}

/**
 * Settles as `work` does; an error that the client can mend becomes one of its parameters, and any other a fault of the gateway, without its details.
 * `onError`: gets the internal ones.
 */
export async function asProtocolErrors<T>(requestId: string, work: () => Promise<T>, onError?: LogError): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const error = toAppError(thrown);
    if (error.code === 'internal') onError?.('a request of an MCP client failed', error.cause ?? error, { requestId });
    throw error.status < 500 ? new InvalidParams(error, requestId) : new ProtocolError(INTERNAL_ERROR, error, requestId);
  }
}
