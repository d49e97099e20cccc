/** Cancels a run that waits in the queue: it ends without having begun. */
import type { Clock } from '../../port/clock';
import type { EventBus } from '../../port/event_bus';
import type { Observer } from '../../port/observer';
import type { Actor } from '../../port/principal';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import { type AuditEntry, type AuditRecorder, byActor } from '../audit/audit_log';
import { toObservedRun } from '../run_log/observed_run';
import { numberEvent } from '../run_log/run_entry';
import type { RunHooks } from '../run_log/run_hooks';
import { NO_USAGE } from './finish_run';
import { shownWriter } from './message_writer';
import type { RunAdmission } from './run_admission';
import type { RunCapacity } from './run_capacity';

export interface CancelQueuedRunDeps {
  store: Store;
  bus: EventBus;
  clock: Clock;
  hooks: RunHooks;
  auditLog: AuditRecorder;
  admission: Pick<RunAdmission, 'queueLateMessages'>;
  capacity: RunCapacity;
  observer: Observer;
}

/** Cancels a queued run. Resolves false when the run has started meanwhile. `by`: who cancels; absent for the gateway itself. */
export async function cancelQueuedRun(deps: CancelQueuedRunDeps, run: RunRecord, by?: Canceller): Promise<boolean> {
  const { store, bus, clock, hooks, admission, capacity } = deps;
  const now = clock.now();
  const ending = { status: 'cancelled' as const, outcome: { text: '', usage: NO_USAGE } };
  const cancelledBy = by && shownWriter(by.keyName);
  const event = numberEvent(run, run.lastSeq + 1, now, {
    type: 'run_end',
    data: { status: ending.status, by: cancelledBy, ...ending.outcome },
  });
  const queuedRuns = await store.transaction({ session: run }, async tx => {
    if (!(await tx.runs.update(run.tenantId, run.id, { from: ['queued'] }, { ...ending, cancelledBy, usageByModel: {}, endedAt: now })))
      return undefined;
    await tx.events.append(run, [event]);
    for (const write of hooks.ending) await write(tx, run, { status: ending.status, error: undefined, now });
    if (by) await deps.auditLog.record(cancelEntry(run, by), tx);
    return admission.queueLateMessages(tx, run, await tx.steeringMessages.pending(run.tenantId, run.id));
  });
  if (queuedRuns === undefined) return false;
  for (const tell of hooks.committed) tell();
  capacity.leaveQueue(run);
  capacity.joinQueue(run, queuedRuns);
  bus.publish([event], run.epoch);
  const begun = { run: toObservedRun(run), acceptedAt: run.createdAt, startedAt: now, isResumed: false };
  deps.observer.begin('run', begun).end({ status: 'cancelled' });
  return true;
}

/** Who cancels. `reason`: the reason that an operator gave. */
export type Canceller = Actor & { reason?: string };

/** Returns the row of the audit log for a cancel. An operator may cancel a run of another key. */
export function cancelEntry({ tenantId, id, sessionId, keyName }: RunRecord, by: Canceller): AuditEntry {
  const who = byActor(by);
  const runOf = keyName === undefined || keyName === who.actor ? {} : { runOf: keyName };
  return {
    ...who,
    tenantId,
    action: 'run.cancel',
    target: id,
    details: { sessionId, ...runOf, reason: by.reason },
  };
}
