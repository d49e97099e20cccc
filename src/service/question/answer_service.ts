/** Answers clarifications for every door. */
import type { Door } from '../../port/run_event';
import type { Interaction, RunRecord } from '../../port/store/runs';
import type { RunService } from '../run_log/run_service';
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
  /** What the run that the answer starts can ask a person. */
  interaction: Interaction;
}

/** The request for the run that goes on with an answer. */
type AnswerRequest = Pick<RunRecord, 'tenantId' | 'sessionId' | 'agent' | 'locale' | 'limits' | 'model' | 'parameters'> & {
  keyName: string;
  answeredBy: string;
  door: Door;
  text: string;
  answers: string;
  onBusy: 'enqueue';
  interaction: Interaction;
  trace: RunRecord['trace'] | undefined;
};

/** The part of the executor that starts the run after a question. */
interface RunStarter {
  start(request: AnswerRequest): Promise<{ run: RunRecord }>;
  /** The model and the parameters for a run that continues another. */
  choicesOf(run: RunRecord): Pick<AnswerRequest, 'model' | 'parameters'>;
}

export class AnswerService {
  constructor(private readonly deps: { questionService: QuestionService; executor: RunStarter; runs: RunService }) {}

  /**
   * Answers a clarification. Wakes the run that waits for the answer. When the question has ended its run as text, starts the next run with the
   * answer as its message and resolves with that run. Rejects `not_found`, `clarification_closed`, and as AgentExecutor.start does.
   */
  async answerClarification({
    requestId,
    answer,
    door,
    interaction,
    keyName,
    ...asker
  }: ClarificationAnswer): Promise<RunRecord | undefined> {
    const { questionService, executor, runs } = this.deps;
    const question = await questionService.findQuestion(asker, requestId, 'clarification');
    if (question.mode === 'wait') {
      await questionService.recordAnswer(question, answerFrom(keyName, answer));
      return undefined;
    }
    const { tenantId, sessionId } = question;
    const asked = await runs.getRun(tenantId, question.runId);
    const { agent, locale, limits } = asked;
    // The next run counts for the key that began the conversation, not for the key of the person who answers.
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
