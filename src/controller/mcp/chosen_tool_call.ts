/** Calls a tool of the catalog for an MCP client, as a direct call. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../errors';
import type { AgentExecutor } from '../../service/run/agent_executor';
import type { DirectCallService } from '../../service/tool/direct_call_service';
import type { McpClient } from './mcp_client';

export interface ChosenToolDeps {
  agentExecutor: AgentExecutor;
  directCallService: DirectCallService;
}

/** Rejects as DirectCallService.callTool does. A tool that fails is a result with `isError`. */
export async function callChosenTool(
  { name, args }: { name: string; args: Record<string, unknown> },
  { principal: { tenantId, keyName }, locale }: McpClient,
  { signal, deps }: { signal: AbortSignal; deps: ChosenToolDeps },
): Promise<CallToolResult> {
  if (deps.agentExecutor.draining) throw new AppError('draining', { retryAfterMs: 5_000 });
  const answer = await deps.directCallService.callTool({ tenantId, keyName, toolName: name, parameters: args, locale }, signal);
  const { status, result, message, base64 } = answer;
  return {
    content: [{ type: 'text', text: message }, ...(base64 === undefined ? [] : [toBlob(name, base64)])],
    ...(isObject(result) && { structuredContent: result }),
    ...(status === 'error' && { isError: true }),
  };
}

const toBlob = (tool: string, blob: string): CallToolResult['content'][number] => ({
  type: 'resource',
  resource: { uri: `neta://tools/${tool}/result`, mimeType: 'application/octet-stream', blob },
});

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
