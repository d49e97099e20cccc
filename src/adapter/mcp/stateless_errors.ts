/** Turns errors of the SDK for servers without sessions into those of the port. */
import { McpError } from '../../port/mcp';
import { inBoth } from '../../utils/bilingual';
import { toMcpErrorOf } from './client_errors';
import { statelessSdk } from './stateless_sdk';

/** Converts an error. `redact` removes secrets, because a server may repeat them. */
export function toStatelessError(thrown: unknown, { signal, redact }: { signal: AbortSignal; redact: (text: string) => string }): McpError {
  const { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } = statelessSdk();
  return toMcpErrorOf(thrown, {
    signal,
    redact,
    read(error) {
      if (error instanceof ProtocolError) return { kind: 'refused' };
      if (error instanceof SdkHttpError)
        return { kind: error.status < 500 ? 'unsent' : 'lost', text: inBoth(`HTTP ${error.status}`, `HTTP ${error.status}。`) };
      if (!(error instanceof SdkError)) return undefined;
      return { kind: error.code === SdkErrorCode.InvalidResult ? 'refused' : 'lost' };
    },
  });
}
