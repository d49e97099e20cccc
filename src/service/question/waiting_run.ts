/** Keeps the status of a run that waits for people. A model may ask several questions in one answer, and they are open at the same time. */
import type { RunRecord } from '../../port/store/runs';
import type { StoreTransaction } from '../../port/store/store';
import type { RunHooks } from '../run_log/run_hooks';

/** Gives the run the status `waiting`, and tells the listeners when its first open question is asked. */
export async function noteWaiting(tx: StoreTransaction, run: RunRecord, hooks: Pick<RunHooks, 'waiting'>): Promise<void> {
  const begins = await tx.runs.update(run.tenantId, run.id, { from: ['running'], epoch: run.epoch }, { status: 'waiting' });
  if (!begins) return;
  for (const write of hooks.waiting) await write(tx, run);
}

/** Gives the run the status `running` when none of its questions is open any more. */
export async function noteGoingOn(tx: StoreTransaction, { tenantId, id: runId, epoch }: RunRecord): Promise<void> {
  const open = await tx.questions.list(tenantId, { runId, status: 'pending' }, { limit: 1 });
  if (open.data.length === 0) await tx.runs.update(tenantId, runId, { from: ['waiting'], epoch }, { status: 'running' });
}
