/** Ends a run: one transaction stores `run_end`, the row of the run, a question asked as text, and late steering messages. */
import { ERRORS, messageIn, toAppError } from '../../errors';
import type { Usage } from '../../port/llm';
import type { TerminalStatus } from '../../port/run_event';
import type { RunRecording } from '../../port/run_recording';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunOutcome, RunRecord } from '../../port/store/runs';
import { FencedError } from '../../port/store/store_errors';
import type { UsageByModel } from '../../port/store/usage';
import type { RunHooks } from '../run_log/run_hooks';
import type { RunWriter } from '../run_log/run_writer';
import type { RunAdmission } from './run_admission';

/** Abort reason of a run that a person or a program cancelled. `by`: who did; absent when the gateway did. */
export class RunCancelled extends Error {
  constructor(readonly by?: string) {
    super('The run was cancelled.');
    this.name = 'RunCancelled';
  }
}

export interface RunEnding {
  status: TerminalStatus;
  outcome: RunOutcome;
  /** Who cancelled the run. */
  by?: string | undefined;
  /** Present when the run ended with a question as its text. */
  question?: QuestionRecord;
  /** The usage of the run, by the model as it is shown. */
  usageByModel?: UsageByModel;
  /** Makes it possible to replay the run. */
  recording?: RunRecording;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/**
 * Maps an abort reason or an error to the ending of a run: RunCancelled to `cancelled`, `run_timeout` to `incomplete`, anything else to
 * `failed`. A text that the model left half makes the run `incomplete`. `shown` is the text of an unfinished answer, `locale` the language of the error.
 */
export function endingOf(
  thrown: unknown,
  { usage, shown, locale }: { usage: Usage; shown: string; locale: RunRecord['locale'] },
): RunEnding {
  if (thrown instanceof RunCancelled) return { status: 'cancelled', outcome: { text: '', usage }, by: thrown.by };
  const appError = toAppError(thrown);
  const { code } = appError;
  const error = { code, message: messageIn(appError, locale), retryable: ERRORS[code].retryable };
  if (code === 'run_timeout') return { status: 'incomplete', outcome: { text: shown, usage, reason: 'timeout', error } };
  if (shown !== '' && code.startsWith('model_'))
    return { status: 'incomplete', outcome: { text: shown, usage, reason: 'model_cut', error } };
  return { status: 'failed', outcome: { text: '', usage, error } };
}

/** `lateRuns`: runs that late steering messages became in the queue. `hasQueued`: the session has a queued run. */
export interface StoredEnd {
  lateRuns: number;
  hasQueued: boolean;
}

/**
 * Stores and sends the end; stores `run.recoveredAtSeq` too. The text of an unfinished answer becomes the last message. Rejects FencedError when another process owns the run.
 */
export async function finishRun(
  writer: RunWriter,
  run: RunRecord,
  ending: RunEnding,
  { now, admission, hooks }: { now: number; admission: Pick<RunAdmission, 'queueLateMessages'>; hooks: RunHooks },
): Promise<StoredEnd> {
  let stored: StoredEnd = { lateRuns: 0, hasQueued: true };
  const { status, outcome, by, question, recording, usageByModel = {} } = ending;
  const { recoveredAtSeq } = run;
  const shown = writer.unfinishedText;
  const message = { role: 'assistant' as const, content: shown };
  const cut = outcome.reason === 'model_cut' && { truncated: true as const, reason: outcome.reason };
  if (shown !== '') writer.append({ type: 'message_end', data: { ...message, ...cut } }, message);
  await writer.record({ type: 'run_end', data: { status, by, ...outcome } }, undefined, async tx => {
    const expected = { from: ['queued', 'running', 'waiting'] as const, epoch: run.epoch };
    const patch = { status, outcome, cancelledBy: by, endedAt: now, usageByModel, recoveredAtSeq, recording };
    // Together: each of them would be one more round trip. What they write for a run of another process is undone with the transaction.
    const [isEnded, , late, queued] = await Promise.all([
      tx.runs.update(run.tenantId, run.id, expected, patch),
      tx.sessions.update(run.tenantId, run.sessionId, { updatedAt: now }),
      tx.steeringMessages.pending(run.tenantId, run.id),
      tx.runs.countQueued(run.tenantId, run.sessionId),
      question && tx.questions.insert(question),
      ...hooks.ending.map(write => write(tx, run, { status, error: outcome.error, now })),
    ]);
    if (!isEnded) throw new FencedError();
    // Whoever is asked by name hears of a question that ends the run; the people of the chat hear of the end.
    if (question?.askedTo !== undefined) for (const write of hooks.asked) await write(tx, run, { question, isFirst: false });
    const lateRuns = await admission.queueLateMessages(tx, run, late);
    stored = { lateRuns, hasQueued: queued + lateRuns > 0 };
  });
  for (const tell of hooks.committed) tell();
  return stored;
}
