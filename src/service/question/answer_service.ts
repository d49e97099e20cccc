/** Answers clarifications for every door. */
import type { Door } from '../../port/run_event';
import type { Interaction, RunRecord } from '../../port/store/runs';
import type { AgentExecutor } from '../run/agent_executor';
import type { RunService } from '../run/run_service';
import { answerFrom } from './question_events';
import type { QuestionService } from './question_service';

export interface ClarificationAnswer {
  tenantId: string;
  /** Key of the person who answers. */
  keyName: string;
  /** When given, the question must belong to this session. */
  sessionId?: string;
  requestId: string;
  answer: string;
  door: Door;
  /** The interaction of the run that the answer starts. */
  interaction: Interaction;
}

export class AnswerService {
  constructor(private readonly deps: { questions: QuestionService; executor: AgentExecutor; runs: RunService }) {}

  /**
   * Wakes the run that waits for the answer. When the question has ended its run as text, starts the next run with the answer as its message and
   * resolves with that run. Rejects `not_found`, `clarification_closed`, and as AgentExecutor.start does.
   */
  async answerClarification({
    requestId,
    answer,
    door,
    interaction,
    keyName,
    ...asker
  }: ClarificationAnswer): Promise<RunRecord | undefined> {
    const { questions, executor, runs } = this.deps;
    const question = await questions.findQuestion(asker, requestId, 'clarification');
    if (question.mode === 'wait') {
      await questions.recordAnswer(question, answerFrom(keyName, answer));
      return undefined;
    }
    const { tenantId, sessionId } = question;
    const asked = await runs.getRun(tenantId, question.runId);
    const { agent, locale, limits } = asked;
    // The work goes on for the key that began it.
    const request = {
      tenantId,
      keyName: asked.keyName ?? keyName,
      answeredBy: keyName,
      door,
      text: answer,
      sessionId,
      answers: requestId,
      onBusy: 'enqueue' as const,
      interaction,
    };
    const { run } = await executor.start({ ...request, agent, locale, limits, trace: asked.trace, ...executor.choicesOf(asked) });
    return run;
  }
}
