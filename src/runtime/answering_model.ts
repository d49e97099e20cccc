/** Keeps the run's record of which model answers. */
import type { LlmAnswer, ModelChange } from '../port/llm';
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
