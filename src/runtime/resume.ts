/** Takes up a run where an interrupted process left it: the history is what was stored, nothing else is known. */
import type { ChatMessage, ToolMessage } from '../port/llm';
import type { AgentRunParams } from './agent_run';
import { type AttemptOutcome, nextAfter } from './attempt';
import type { ToolRunner } from './tool_runner';

/**
 * Finishes the last attempt of the stored history: calls that have no result yet are run (see ToolRunner.run for what had begun). Resolves
 * undefined when the next thing to do is a model call; an answer that was stored but not ended is the outcome.
 */
export async function resumeAttempt(params: AgentRunParams, runner: ToolRunner): Promise<AttemptOutcome | undefined> {
  const { history } = params;
  const index = history.findLastIndex(message => message.role !== 'tool');
  const last = history[index];
  if (last?.role !== 'assistant') return undefined;
  if (!last.tool_calls?.length) return { next: 'answered', text: last.content ?? '', cut: false };
  const results = new Map(history.slice(index + 1).map(message => [(message as ToolMessage).tool_call_id, message]));
  const open = last.tool_calls.filter(call => !results.has(call.id));
  if (open.length === 0) return undefined;
  const outcomes = await runner.run(open);
  for (const { message } of outcomes) results.set(message.tool_call_id, message);
  history.length = index + 1;
  history.push(...last.tool_calls.map(call => results.get(call.id) as ChatMessage));
  return { cut: false, ...(await nextAfter(params, outcomes)) };
}
