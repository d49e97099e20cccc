/** Errors of calls: the answer for the client, and the report to operators as other doors report theirs. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { toAppError } from '../../errors';
import type { Refusals } from '../../service/limits/refusals';
import type { ServiceSettings } from '../../service/service_settings';
import { toErrorResult } from './call_results';
import type { McpCaller } from './mcp_client';

export interface RefusedCallDeps {
  refusals: Refusals;
  serviceSettings: ServiceSettings;
}

/** Returns the result of a call that failed. `isOver`: nobody waits for the result, so it is not reported. */
export function refuseCall(
  thrown: unknown,
  { principal, locale }: Pick<McpCaller, 'principal' | 'locale'>,
  { requestId, isOver, deps }: { requestId: string; isOver: boolean; deps: RefusedCallDeps },
): CallToolResult {
  const { refusals, serviceSettings } = deps;
  const error = toAppError(thrown);
  if (!isOver) {
    refusals.note('http', error, principal);
    if (error.code !== 'internal') serviceSettings.onEvent('info', 'a call of an MCP client was refused', { requestId, code: error.code });
    else serviceSettings.onError('a call of an MCP client failed', error.cause ?? error, { requestId });
  }
  return toErrorResult(error, requestId, locale);
}
