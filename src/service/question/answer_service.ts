/** Answers clarifications for every door. */
import type { Attachments } from '../../port/image_input';
import type { Door } from '../../port/run_event';
import type { QuestionRecord } from '../../port/store/questions';
import type { Interaction, RunRecord } from '../../port/store/runs';
import type { StoreTransaction } from '../../port/store/store';
import { inLocale } from '../../tools/common';
import type { RunService } from '../run_log/run_service';
import type { QuestionAccess } from './question_access';
import { answerFrom } from './question_events';
import type { QuestionService } from './question_service';

/** Whoever answers a clarification. */
export interface Answerer {
  tenantId: string;
  /** Key of the person who answers. */
  keyName: string;
  /** When given, the question must belong to this session. */
  sessionId?: string;
  /** The own tenant of an operator who answers on behalf. */
  homeTenantId?: string;
}

/** `images` and `files` are those of the answer. */
export interface ClarificationAnswer extends Answerer, Attachments {
  requestId: string;
  answer: string;
  door: Door;
  /** What the run that the answer starts can ask a person. */
  interaction: Interaction;
  /** Makes more writes in the transaction that stores the answer. */
  alsoWrite?: (tx: StoreTransaction) => Promise<void>;
}

/** The request for the run that goes on with an answer. */
type AnswerRequest = Pick<RunRecord, 'tenantId' | 'sessionId' | 'agent' | 'locale' | 'limits' | 'model' | 'parameters'> & {
  keyName: string;
  writtenBy: string;
  door: Door;
  text: string;
  answers: string;
  keepsAgent: true;
  onBusy: 'enqueue';
  interaction: Interaction;
  trace: RunRecord['trace'] | undefined;
} & Pick<ClarificationAnswer, 'images' | 'files' | 'alsoWrite'>;

/** The part of the executor that starts the run after a question. */
interface RunStarter {
  start(request: AnswerRequest): Promise<{ run: RunRecord }>;
  /** The model and the parameters for a run that continues another. */
  choicesOf(run: RunRecord): Pick<AnswerRequest, 'model' | 'parameters'>;
}

/** The part of the steering service that brings a message into a run. */
interface RunMessages {
  insertMessage(tx: StoreTransaction, run: RunRecord, message: { text: string; writtenBy: string } & Attachments): Promise<void>;
  tellRun(runId: string): void;
}

export class AnswerService {
  constructor(
    private readonly deps: {
      questionService: QuestionService;
      questionAccess: Pick<QuestionAccess, 'assertMayAnswer'>;
      executor: RunStarter;
      runs: RunService;
      steering: RunMessages;
    },
  ) {}

  /**
   * Answers a clarification. Wakes the run that waits for the answer. When the question has ended its run as text, starts the next run with the
   * answer as its message and resolves with that run. Rejects `not_found`, `forbidden` for a person who only
   * reads the session, `clarification_closed`, and as AgentExecutor.start does.
   */
  async answerClarification({
    requestId,
    answer,
    door,
    interaction,
    images,
    files,
    alsoWrite,
    ...by
  }: ClarificationAnswer): Promise<RunRecord | undefined> {
    const { questionService, executor, runs } = this.deps;
    const { keyName } = by;
    const question = await this.findClarification(by, requestId);
    if (question.mode === 'wait') {
      const { tenantId, sessionId } = question;
      // The images and files wait among the messages of the session.
      const hasAttachments = images !== undefined || files !== undefined;
      const lock = hasAttachments ? { session: { tenantId, sessionId } } : ('none' as const);
      const write = async (tx: StoreTransaction) => {
        if (hasAttachments) await this.addAttachments(tx, question, { images, files, writtenBy: keyName });
        await alsoWrite?.(tx);
      };
      await questionService.recordAnswer(question, answerFrom(keyName, answer), { lock, alsoWrite: write });
      return undefined;
    }
    const { tenantId, sessionId } = question;
    const asked = await runs.getRun(tenantId, question.runId);
    const { agent, locale, limits } = asked;
    // The next run counts for the key that began the conversation, not for the key of the person who answers.
    const request = {
      tenantId,
      keyName: asked.keyName ?? keyName,
      writtenBy: keyName,
      door,
      text: answer,
      sessionId,
      answers: requestId,
      keepsAgent: true as const,
      onBusy: 'enqueue' as const,
      interaction,
      images,
      files,
      alsoWrite,
    };
    const { run } = await executor.start({ ...request, agent, locale, limits, trace: asked.trace, ...executor.choicesOf(asked) });
    return run;
  }

  /** Ends a clarification that the person does not want to answer. Rejects as `answerClarification` does. */
  async skipClarification(by: Answerer, requestId: string): Promise<void> {
    await this.deps.questionService.skipQuestion(await this.findClarification(by, requestId));
  }

  private async findClarification(by: Answerer, requestId: string): Promise<QuestionRecord> {
    const { questionService, questionAccess } = this.deps;
    const question = await questionService.findQuestion(by, requestId, 'clarification');
    await questionAccess.assertMayAnswer(by, question);
    return question;
  }

  /**
   * The answer becomes the result of a tool call, which is text alone. Its images and files follow as a message into the run, which reads both at its
   * next step.
   */
  private async addAttachments(
    tx: StoreTransaction,
    { tenantId, runId }: QuestionRecord,
    given: Attachments & { writtenBy: string },
  ): Promise<void> {
    const run = await tx.runs.get(tenantId, runId);
    if (!run) return;
    const { steering } = this.deps;
    const text = given.files
      ? inLocale(run, 'The files of my answer.', '我的回答所附的文件。')
      : inLocale(run, 'The images of my answer.', '我的回答所附的图片。');
    await steering.insertMessage(tx, run, { text, ...given });
    // Now and not after the commit: the run waits for the answer, and looks for messages as soon as it has it.
    steering.tellRun(runId);
  }
}
