/** Asks what the agent wants to know: the people of the chat, or somebody else of the tenant, who sees this one question. */
import { addressName } from '../../port/approval_address';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { ClarifyOutcome, Question } from '../../tools/question';
import type { RunWriter } from '../run_log/run_writer';
import type { Escalations } from './escalations';
import type { QuestionContent, QuestionService } from './question_service';
import type { KnownQuestion } from './waiting_run';

export interface ClarificationDeps {
  questionService: QuestionService;
  escalations: Pick<Escalations, 'passOnInTime'>;
  /** Milliseconds for which somebody else is waited for. */
  colleagueTimeoutMs: number;
}

export class Clarifications {
  constructor(private readonly deps: ClarificationDeps) {}

  /** Creates a pending clarification without storing it. A clarification of mode `text` is stored together with the end of its run. */
  newClarification(
    run: RunRecord,
    { question, choices, toolCallId, to, escalate }: Question & { toolCallId?: string },
    delivery: Pick<QuestionContent, 'mode' | 'timeoutMs'>,
  ): QuestionRecord {
    const optional = { toolCallId, choices: choices?.length ? choices : undefined };
    const addressed = to === undefined ? {} : { askedTo: addressName(to), escalate };
    return this.deps.questionService.newQuestion(run, { kind: 'clarification', ...delivery, question, ...optional, ...addressed });
  }

  /**
   * Asks a clarification and waits, see QuestionService.askAndWait. `known`: the stored question, when it was asked before the run was interrupted. Somebody
   * else gets the usual time for an answer after the question was passed on.
   */
  askClarification(
    run: RunRecord,
    writer: RunWriter,
    { signal, ...content }: Question & { toolCallId: string; signal: AbortSignal },
    known?: KnownQuestion,
  ): Promise<ClarifyOutcome> {
    const { questionService, escalations, colleagueTimeoutMs } = this.deps;
    const { clarifyTimeoutMs } = run.interaction;
    const { to, escalate } = content;
    const timeoutMs = to === undefined ? clarifyTimeoutMs : Math.max(clarifyTimeoutMs, colleagueTimeoutMs) + (escalate?.afterMs ?? 0);
    const question = known?.question ?? this.newClarification(run, content, { mode: 'wait', timeoutMs });
    const stop = escalations.passOnInTime(run, question);
    return questionService.askAndWait(run, writer, { question, stored: known?.stored, signal }).finally(stop);
  }
}
