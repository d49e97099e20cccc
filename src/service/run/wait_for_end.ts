/** Waits for the end of a run, in this process or in another. */
import { AppError } from '../../errors';
import type { EventBus } from '../../port/event_bus';
import { isTerminal, type RunEvent, type RunStatus } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { RemoteRunPoller } from '../run_log/remote_run_poller';

interface WaitingDeps {
  store: Store;
  bus: EventBus;
  remoteRuns: RemoteRunPoller;
}

/** Limits of the wait. After `patience` the caller takes the run as it is; also when the run waits for an approval and `leavesWaiting` returns true. */
export interface WaitOptions {
  patience?: AbortSignal | undefined;
  leavesWaiting?: (() => boolean) | undefined;
}

/** `stopped` aborts when this process ends no more runs. */
interface WaitLimits extends WaitOptions {
  stopped: AbortSignal;
}

/** Resolves when the run is terminal, deleted, or as the limits say. Rejects `draining` when `stopped` aborts first. */
export async function waitForEnd(
  { store, bus, remoteRuns }: WaitingDeps,
  run: RunRecord,
  { stopped, patience, leavesWaiting = () => false }: WaitLimits,
): Promise<void> {
  const { tenantId, id: runId } = run;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const onStop = () => reject(new AppError('draining', { retryAfterMs: 5_000, details: { runId } }));
  const onPatienceEnd = () => resolve();
  stopped.addEventListener('abort', onStop, { once: true });
  patience?.addEventListener('abort', onPatienceEnd, { once: true });
  const isOver = (latest: { status: RunStatus } | undefined): boolean =>
    !latest || isTerminal(latest.status) || (latest.status === 'waiting' && leavesWaiting());
  // The approval of a crew member does not stop the other members.
  const isLast = (event: RunEvent): boolean =>
    event.type === 'run_end' || (event.type === 'approval_request' && event.data.childRunId === undefined && leavesWaiting());
  const readState = () => store.read.runs.getState(tenantId, runId);
  const subscription = await bus.subscribe(run.sessionId, {
    events: events => {
      if (events.some(event => event.runId === runId && isLast(event))) resolve();
    },
    // When the store cannot be read now, the poll finds the end.
    missed: () =>
      void readState().then(
        latest => isOver(latest) && resolve(),
        () => {},
      ),
  });
  const unwatch = remoteRuns.watch(run, progress => isOver(progress) && resolve());
  try {
    const latest = await readState();
    if (!isOver(latest) && !patience?.aborted) await ended;
  } finally {
    unwatch();
    subscription.stop();
    stopped.removeEventListener('abort', onStop);
    patience?.removeEventListener('abort', onPatienceEnd);
  }
}
