/** Keeps the status of a run that waits for people. A model may ask several questions in one answer, and they are open at the same time. */
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { StoreTransaction } from '../../port/store/store';
import type { RunHooks } from '../run_log/run_hooks';

/** A question that was stored before its run was interrupted. `ended`: the log has the event that ends the question. */
export interface KnownQuestion {
  question: QuestionRecord;
  stored: 'open' | 'ended';
}

/** Gives the run the status `waiting`, and tells the listeners of the question, and of the wait when this is the first open question. */
export async function noteWaiting(
  tx: StoreTransaction,
  run: RunRecord,
  question: QuestionRecord,
  hooks: Pick<RunHooks, 'waiting' | 'asked'>,
): Promise<void> {
  const begins = await tx.runs.update(run.tenantId, run.id, { from: ['running'], epoch: run.epoch }, { status: 'waiting' });
  if (begins) for (const write of hooks.waiting) await write(tx, run);
  for (const write of hooks.asked) await write(tx, run, { question, isFirst: begins });
}

/** Gives the run the status `running` when none of its questions is open any more. */
export async function noteGoingOn(tx: StoreTransaction, { tenantId, id: runId, epoch }: RunRecord): Promise<void> {
  const open = await tx.questions.list(tenantId, { runId, status: 'pending' }, { limit: 1 });
  if (open.data.length === 0) await tx.runs.update(tenantId, runId, { from: ['waiting'], epoch }, { status: 'running' });
}
