/** Answers a question from any door: one that a run waits for wakes it; one that was handed over as text starts the next run. */
import type { Door } from '../../port/run_event';
import type { Interaction, RunRecord } from '../../port/store/runs';
import type { AgentExecutor } from '../run/agent_executor';
import type { RunService } from '../run/run_service';
import type { ClarificationService } from './clarification_service';

export interface AnswerRequest {
  tenantId: string;
  /** When given, the question must belong to it. */
  sessionId?: string;
  requestId: string;
  answer: string;
  door: Door;
  /** What the next run can ask of a person. */
  interaction: Interaction;
}

/** Resolves with the run that the answer started, if it did. Rejects `not_found`, `clarification_closed`, and as AgentExecutor.start does. */
export async function answerQuestion(
  parts: { executor: AgentExecutor; clarifications: ClarificationService; runs: RunService },
  request: AnswerRequest,
): Promise<RunRecord | undefined> {
  const { executor, clarifications, runs } = parts;
  const { tenantId, requestId, answer, door } = request;
  const question = await clarifications.find(request, requestId);
  if (question.mode === 'wait') {
    await clarifications.answer(question, requestId, answer);
    return undefined;
  }
  const asking = await runs.get(tenantId, question.runId);
  const { run } = await executor.start({
    tenantId,
    door,
    text: answer,
    sessionId: question.sessionId,
    answers: requestId,
    onBusy: 'enqueue',
    agent: asking.agent,
    locale: asking.locale,
    limits: asking.limits,
    interaction: request.interaction,
  });
  return run;
}
