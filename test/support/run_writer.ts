/** Creates a running run in the store, with its own bus and writer, for tests of the run log and its readers. */
import { createSystemClock } from '../../src/adapter/local/node/clock';
import { createLocalEventBus } from '../../src/adapter/local/node/event_bus';
import { createIdSource } from '../../src/adapter/local/node/ids';
import type { EventBus } from '../../src/port/event_bus';
import type { RunRecord } from '../../src/port/store/runs';
import type { Store } from '../../src/port/store/store';
import { RunLeases } from '../../src/service/run/run_leases';
import { RunHooks } from '../../src/service/run_log/run_hooks';
import type { RunOwner } from '../../src/service/run_log/run_owner';
import { RunWriter } from '../../src/service/run_log/run_writer';
import { DeltaTick, WriteTick } from '../../src/service/run_log/writer_ticks';
import { NO_OBSERVER } from './no_observer';
import { aRun, aSession } from './store_records';

interface OpenedRun {
  run: RunRecord;
  bus: EventBus;
  writer: RunWriter;
  owner: RunOwner;
}

const clock = createSystemClock();
const ids = createIdSource(clock);

export async function openRun(store: Store, abandoned?: AbortSignal, fields: Partial<RunRecord> = {}): Promise<OpenedRun> {
  const sessionId = ids.next('ses');
  const run = await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession({ id: sessionId }));
    return tx.runs.insert(aRun({ id: ids.next('run'), sessionId, ...fields }));
  });
  return openWriter(store, run, abandoned);
}

/** Acquires the run as another process does, with a bus of its own. */
export async function takeOverRun(store: Store, { id, tenantId }: RunRecord): Promise<OpenedRun> {
  const run = await store.read.runs.get(tenantId, id);
  if (!run) throw new Error(`no run ${id}`);
  const identity = { self: 'another', isGone: () => false };
  const acquired = await new RunLeases({ store, clock, identity }).acquire(run);
  if (!acquired) throw new Error(`run ${id} cannot be acquired`);
  return openWriter(store, acquired);
}

/** Every writer has its own bus, as in a process of its own. */
function openWriter(store: Store, run: RunRecord, abandoned = new AbortController().signal): OpenedRun {
  const bus = createLocalEventBus();
  const deps = {
    store,
    bus,
    clock,
    ids,
    failpoints: { reach: () => undefined },
    hooks: new RunHooks(),
    observer: NO_OBSERVER,
    writeTick: new WriteTick(clock),
    deltaTick: new DeltaTick(clock),
  };
  const state = { nextPosition: 1, openExecutions: new Map<string, string>() };
  const owner: RunOwner = { abandoned, stop: () => {} };
  return { run, bus, writer: new RunWriter(deps, run, state, owner), owner };
}
