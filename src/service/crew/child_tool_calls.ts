/** Counts the tool calls of a child run, for the budget of its parent. */
import type { RunRecord } from '../../port/store/runs';
import type { ToolExecutionReader } from '../../port/store/tool_executions';

/** A child run with more calls counts as having this many; its iterations end it long before. */
const MAX_COUNTED = 10_000;

export async function countToolCalls(read: ToolExecutionReader, { tenantId, id }: Pick<RunRecord, 'tenantId' | 'id'>): Promise<number> {
  const { data } = await read.listToolExecutions(tenantId, { runId: id }, { limit: MAX_COUNTED });
  return data.length;
}
