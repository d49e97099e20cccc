/** Records of each model call: which model answered, and the tokens and costs of the answer. */
import type { LlmAnswer, ModelChange } from '../port/llm';
import { addUsage } from './add_usage';
import type { AgentRunParams } from './agent_run';

/** Announces once that another model answers, for as long as the same model stands in. */
export function announceFallback(params: AgentRunParams, change: ModelChange): void {
  const { observation, locale } = params;
  const { from, to, code } = change;
  observation?.observer.note({
    type: 'model_fallback',
    run: observation.run,
    from,
    to,
    error: code || undefined,
  });
  const reason = locale === 'zh-CN' ? change.reasonZh : change.reason;
  if (to !== params.answeredBy) params.journal.append({ type: 'model_fallback', data: { from, to, reason, code } });
  params.answeredBy = to;
}

/** Notes which model answered last. */
export function noteModel(params: AgentRunParams, { answeredBy }: LlmAnswer): void {
  if (answeredBy !== undefined) params.answeredBy = answeredBy;
  else if (params.answeredBy !== undefined) delete params.answeredBy;
}

/** Adds the usage of a complete answer to the run and writes it to the log. An answer without usage counts as no tokens and no known price. */
export function recordUsage({ usage: sum, spending, journal }: AgentRunParams, { usage, answeredBy }: LlmAnswer): void {
  spending?.addCall(answeredBy ?? '', usage ?? { inputTokens: 0, outputTokens: 0 });
  if (!usage) return;
  addUsage(sum, usage);
  journal.append({ type: 'usage', data: { ...usage, model: answeredBy } });
}
