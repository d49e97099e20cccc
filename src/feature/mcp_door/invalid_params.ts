/** Errors of the protocol about the parameters of a request. */
import { AppError, toWireError, type WireError } from '../../errors';

/** JSON-RPC number of wrong parameters. */
const INVALID_PARAMS = -32_602;

/** Parameters of a request that cannot be used. The SDK sends `code` and `data`. */
export class InvalidParams extends Error {
  readonly code = INVALID_PARAMS;
  readonly data: WireError;

  constructor(error: AppError, requestId: string) {
    super(error.message, { cause: error });
    this.data = toWireError(error, requestId);
  }
}

/** Settles as `work` does; an error that the client can mend becomes one of the protocol. */
export async function asProtocolErrors<T>(requestId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof AppError && thrown.status < 500 ? new InvalidParams(thrown, requestId) : thrown;
  }
}
