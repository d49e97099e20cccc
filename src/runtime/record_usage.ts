/** Keeps the record of what model calls use. */
import type { LlmAnswer } from '../port/llm';
import { addUsage } from './add_usage';
import type { AgentRunParams } from './agent_run';

/** Counts the usage of a complete answer for the run, and says it in the log. An answer without a usage has no tokens and no known price. */
export function recordUsage({ usage: sum, spending, journal }: AgentRunParams, { usage, answeredBy }: LlmAnswer): void {
  spending?.addCall(answeredBy ?? '', usage ?? { inputTokens: 0, outputTokens: 0 });
  if (!usage) return;
  addUsage(sum, usage);
  journal.append({ type: 'usage', data: { ...usage, ...(answeredBy !== undefined && { model: answeredBy }) } });
}
