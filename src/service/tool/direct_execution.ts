/** Rows of the execution log for direct calls. */
import type { ToolExecutionEnd, ToolExecutionRecord } from '../../port/store/tool_executions';
import type { ToolResult } from '../../tools/common';
import { clipStart, clipText } from '../../utils/clip_text';

const STORED_LIMIT = 8_000;
const MAX_NAME_UNITS = 200;

/** A call that begins. `args`: its parameters as JSON. */
export const newDirectExecution = (
  { tenantId, context = {} }: { tenantId: string; context?: Record<string, unknown> },
  { name, command }: { name: string; command?: string },
  { args, ...row }: Pick<ToolExecutionRecord, 'id' | 'args' | 'createdAt'> & { owner: string },
): ToolExecutionRecord => ({
  tenantId,
  ...row,
  tool: name,
  ...(command !== undefined && { command }),
  ...callerOf(context),
  args: clipText(args, STORED_LIMIT),
  status: 'running',
});

export function toExecutionEnd({ ok, content, details }: ToolResult, durationMs: number, endedAt: number): ToolExecutionEnd {
  const text = clipText(content, STORED_LIMIT);
  return {
    status: ok ? 'success' : 'error',
    ...(ok ? { result: text } : { error: text }),
    durationMs,
    ...(details && { details }),
    endedAt,
  };
}

/** Returns for whom the call is, as its context says. */
function callerOf(context: Record<string, unknown>): Pick<ToolExecutionRecord, 'user' | 'agent'> {
  const nameIn = (field: string) => (typeof context[field] === 'string' ? clipStart(context[field], MAX_NAME_UNITS) : undefined);
  const user = nameIn('user');
  const agent = nameIn('agent');
  return { ...(user !== undefined && { user }), ...(agent !== undefined && { agent }) };
}
