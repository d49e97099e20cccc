import { RequestError } from '../api/request_error';
import type { ChatContext } from './chat_context';

/** Undoes the file change of a tool call. Rejects with a RequestError when that is not possible. */
export async function undoToolCall({ rest }: ChatContext, runId: string | undefined, toolCallId: string): Promise<void> {
  const executions = runId ? await rest.listToolExecutions(runId) : [];
  const execution = executions.find(candidate => candidate.toolCallId === toolCallId);
  if (!execution) throw new RequestError('not_found', 'There is no such tool execution.', false);
  await rest.undo(execution.id);
}
