/** Calls a tool of the catalog for an MCP client, as a direct call. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Type } from '@sinclair/typebox';
import { AppError } from '../../errors';
import type { TraceContext } from '../../port/trace_context';
import type { AgentExecutor } from '../../service/run/agent_executor';
import type { DirectCallService } from '../../service/tool/direct_call_service';
import { createDecoder } from '../../wire/decode';
import { contentOfBlocks } from './content_blocks';
import type { McpCaller } from './mcp_client';

export interface ChosenToolDeps {
  agentExecutor: AgentExecutor;
  directCallService: DirectCallService;
}

const decodeArguments = createDecoder(Type.Object({}, { additionalProperties: true }));

/** Calls a tool of the catalog. Rejects as DirectCallService.callTool does. A tool that fails is a result with `isError`. */
export async function callChosenTool(
  { name, args }: { name: string; args: Record<string, unknown> },
  { principal: { tenantId, keyName }, locale }: McpCaller,
  { signal, trace, deps }: { signal: AbortSignal; trace: TraceContext | undefined; deps: ChosenToolDeps },
): Promise<CallToolResult> {
  if (deps.agentExecutor.draining) throw new AppError('draining', { retryAfterMs: 5_000 });
  const call = { tenantId, keyName, toolName: name, parameters: decodeArguments(args), locale, trace };
  const answer = await deps.directCallService.callTool(call, signal);
  const { status, result, message, base64 } = answer;
  return {
    content: [{ type: 'text', text: message }, ...contentOfBlocks(result), ...(base64 === undefined ? [] : [toBlob(name, base64)])],
    structuredContent: isObject(result) ? result : undefined,
    isError: status === 'error' || undefined,
  };
}

const toBlob = (tool: string, blob: string): CallToolResult['content'][number] => ({
  type: 'resource',
  resource: { uri: `neta://tools/${tool}/result`, mimeType: 'application/octet-stream', blob },
});

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
