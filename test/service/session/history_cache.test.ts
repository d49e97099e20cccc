import type { RunRecord } from '../../../src/port/store/runs';
import type { Store } from '../../../src/port/store/store';
import { HistoryCache } from '../../../src/service/session/history_cache';
import { aMessage, aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;
let store: Store;
let cache: HistoryCache;

beforeEach(async () => {
  temporary = await openTemporaryStore();
  store = temporary.store;
  cache = new HistoryCache(store);
  await store.transaction(tx => tx.insertSession(aSession()));
});

afterEach(() => temporary.release());

/** Inserts a run with `count` messages, through another store when one is given. */
function addRun(count: number, fields: Partial<RunRecord> = {}, through = store): Promise<RunRecord> {
  return through.transaction(async tx => {
    const run = await tx.insertRun(aRun({ id: `run_${Math.random()}`, ...fields }));
    const place = { runId: run.id, runOrdinal: run.ordinal };
    await tx.insertMessages(Array.from({ length: count }, (_, position) => aMessage({ ...place, position })));
    return run;
  });
}

const storedHistory = () => store.read.history(TENANT, 'ses_1');

test('reads the messages of earlier runs from the store once and shares their objects', async () => {
  await addRun(3, { status: 'completed' });
  const second = await addRun(1);
  const first = await cache.readHistory(second);
  expect(first).toEqual(await storedHistory());
  const third = await addRun(1);
  const later = await cache.readHistory(third);
  expect(later).toEqual(await storedHistory());
  expect(later[0]?.message).toBe(first[0]?.message);
  expect(later[2]?.message).toBe(first[2]?.message);
});

test('reads what another process stored between two runs', async () => {
  const another = await temporary.openAnother();
  await cache.readHistory(await addRun(1));
  await another.transaction(tx => tx.insertMessages([aMessage({ position: 1 })]));
  await addRun(4, { status: 'completed' }, another);
  await addRun(1, { status: 'cancelled' }, another);
  const last = await addRun(1);
  expect(await cache.readHistory(last)).toEqual(await storedHistory());
  expect(await storedHistory()).toHaveLength(7);
});

test('forgets that a queued message was not cancelled yet', async () => {
  const running = await addRun(2);
  const queued = await addRun(1, { status: 'queued' });
  expect(await cache.readHistory(running)).toHaveLength(3);
  await store.transaction(tx => tx.updateRun(TENANT, queued.id, { from: ['queued'] }, { status: 'cancelled', endedAt: 2_000 }));
  const next = await addRun(1);
  expect(await cache.readHistory(next)).toEqual(await storedHistory());
  expect(await storedHistory()).toHaveLength(3);
});

test('reads the whole history again for an earlier run and after the session was removed', async () => {
  const earlier = await addRun(2);
  const later = await addRun(1);
  const cached = await cache.readHistory(later);
  expect(await cache.readHistory(earlier)).toEqual(await storedHistory());
  cache.removeSession(TENANT, 'ses_1');
  const again = await cache.readHistory(later);
  expect(again).toEqual(cached);
  expect(again[0]?.message).not.toBe(cached[0]?.message);
});
