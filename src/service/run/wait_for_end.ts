/** Waits for the end of a run, in this process or in another. */
import { AppError } from '../../errors';
import type { EventBus } from '../../port/event_bus';
import { isTerminal } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { RemoteRunPoller } from '../run_log/remote_run_poller';

interface WaitingDeps {
  store: Store;
  bus: EventBus;
  remoteRuns: RemoteRunPoller;
}

/** Limits of the wait. `stopped` aborts when this process ends no more runs; after `patience` the caller takes the run as it is. */
interface WaitLimits {
  stopped: AbortSignal;
  patience?: AbortSignal | undefined;
}

/** Resolves when the run is terminal, deleted, or `patience` aborts. Rejects `draining` when `stopped` aborts first. */
export async function waitForEnd(
  { store, bus, remoteRuns }: WaitingDeps,
  run: RunRecord,
  { stopped, patience }: WaitLimits,
): Promise<void> {
  const { tenantId, id: runId } = run;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const onStop = () => reject(new AppError('draining', { retryAfterMs: 5_000, details: { runId } }));
  const onPatienceEnd = () => resolve();
  stopped.addEventListener('abort', onStop, { once: true });
  patience?.addEventListener('abort', onPatienceEnd, { once: true });
  const readState = () => store.read.runs.getState(tenantId, runId);
  const subscription = await bus.subscribe(run.sessionId, {
    events: events => {
      if (events.some(event => event.runId === runId && event.type === 'run_end')) resolve();
    },
    // When the store cannot be read now, the poll finds the end.
    missed: () =>
      void readState().then(
        latest => (!latest || isTerminal(latest.status)) && resolve(),
        () => {},
      ),
  });
  const unwatch = remoteRuns.watch(run, progress => (!progress || isTerminal(progress.status)) && resolve());
  try {
    const latest = await readState();
    if (latest && !isTerminal(latest.status) && !patience?.aborted) await ended;
  } finally {
    unwatch();
    subscription.stop();
    stopped.removeEventListener('abort', onStop);
    patience?.removeEventListener('abort', onPatienceEnd);
  }
}
