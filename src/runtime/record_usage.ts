/** Keeps the record of the tokens and costs of model calls. */
import type { LlmAnswer } from '../port/llm';
import { addUsage } from './add_usage';
import type { AgentRunParams } from './agent_run';

/** Adds the usage of a complete answer to the run and writes it to the log. An answer without usage counts as no tokens and no known price. */
export function recordUsage({ usage: sum, spending, journal }: AgentRunParams, { usage, answeredBy }: LlmAnswer): void {
  spending?.addCall(answeredBy ?? '', usage ?? { inputTokens: 0, outputTokens: 0 });
  if (!usage) return;
  addUsage(sum, usage);
  journal.append({ type: 'usage', data: { ...usage, model: answeredBy } });
}
