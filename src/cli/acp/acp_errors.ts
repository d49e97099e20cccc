/** Errors of the gateway as errors of the protocol. */
import { NetaError } from '../../../clients/typescript/src/http';
import { acpSdk } from './acp_sdk';

const START = 'Start the gateway, or name its address with --url or NETA_URL.';
const KEY = 'Put an API key with the scope chat into NETA_API_KEY.';

/** Says in one sentence why a request failed, and what helps. */
export function explain(thrown: unknown): string {
  if (!(thrown instanceof NetaError)) return thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown.code === 'unreachable') return `${thrown.message} ${START}`;
  if (thrown.code === 'unauthenticated') return `${thrown.message} ${KEY}`;
  return thrown.message;
}

/** Returns the error that the editor gets. */
export function toRequestError(thrown: unknown): Error {
  const { RequestError } = acpSdk();
  if (thrown instanceof RequestError) return thrown;
  const data = thrown instanceof NetaError ? { code: thrown.code, param: thrown.fields.param } : undefined;
  if (thrown instanceof NetaError && thrown.code === 'unauthenticated') return new RequestError(-32000, explain(thrown), data);
  if (thrown instanceof NetaError && thrown.code === 'not_found') return new RequestError(-32002, explain(thrown), data);
  if (thrown instanceof NetaError && thrown.status === 400) return new RequestError(-32602, explain(thrown), data);
  return new RequestError(-32603, explain(thrown), data);
}
