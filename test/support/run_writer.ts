/** Creates a running run in the store, with its own bus and writer, for tests of the run log and its readers. */
import { createSystemClock } from '../../src/adapter/local/clock';
import { createLocalEventBus } from '../../src/adapter/local/event_bus';
import { createIdSource } from '../../src/adapter/local/ids';
import type { EventBus } from '../../src/port/event_bus';
import type { RunRecord } from '../../src/port/store/runs';
import type { Store } from '../../src/port/store/store';
import { RunWriter } from '../../src/service/run/run_writer';
import { WriteTick } from '../../src/service/run/write_tick';
import { aRun, aSession } from './store_records';

export async function openRun(
  store: Store,
  abandoned = new AbortController().signal,
): Promise<{ run: RunRecord; bus: EventBus; writer: RunWriter }> {
  const clock = createSystemClock();
  const ids = createIdSource(clock);
  const sessionId = ids.next('ses');
  const run = await store.transaction(async tx => {
    await tx.insertSession(aSession({ id: sessionId }));
    return tx.insertRun(aRun({ id: ids.next('run'), sessionId }));
  });
  const bus = createLocalEventBus();
  const failpoints = { reach: () => undefined };
  const deps = { store, bus, clock, ids, failpoints, writeTick: new WriteTick(clock) };
  const writer = new RunWriter(deps, run, { nextPosition: 1, openExecutions: new Map() }, { abandoned, stop: () => {} });
  return { run, bus, writer };
}
