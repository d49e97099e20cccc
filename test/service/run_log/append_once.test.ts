import { AppError } from '../../../src/errors';
import type { RunEvent } from '../../../src/port/run_event';
import type { Store, StoreTransaction } from '../../../src/port/store/store';
import { appendOnce } from '../../../src/service/run_log/run_projection';
import { openRun } from '../../support/run_writer';
import { TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

describe('events whose commit had no answer', () => {
  let temporary: TemporaryStore;
  beforeAll(async () => {
    temporary = await openTemporaryStore();
  });
  afterAll(() => temporary.release());

  const aNote = (run: { id: string; sessionId: string; lastSeq: number }): RunEvent => ({
    v: 1,
    sessionId: run.sessionId,
    runId: run.id,
    seq: run.lastSeq + 1,
    ts: new Date(0).toISOString(),
    type: 'text_delta',
    data: { text: 'kept' },
  });

  it('are stored once when the first attempt commits while the second one waits for it', async () => {
    const { store } = temporary;
    const { run } = await openRun(store);
    let attempts = 0;
    const slow: Store = Object.assign(Object.create(store) as Store, {
      transaction: async (...[lock, work]: Parameters<Store['transaction']>) => {
        attempts += 1;
        const before = await store.read.runs.getState(TENANT, run.id);
        if (attempts === 1) {
          await store.transaction(lock, work);
          throw new AppError('store_unavailable');
        }
        // The second attempt reads the run before the first one is visible.
        const runs = { getState: async () => ({ ...before, lastSeq: run.lastSeq }) };
        const early = (tx: StoreTransaction) => Object.create(tx, { runs: { value: runs } }) as StoreTransaction;
        return store.transaction(lock, tx => work(early(tx)));
      },
    });
    const append = appendOnce(slow, run, [aNote(run)], []);
    await expect(append()).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(append()).resolves.toBeUndefined();
    expect(attempts).toBe(2);
    expect(await store.read.events.list(TENANT, run.id, 0, 10)).toEqual([aNote(run)]);
  });

  it('are refused when another process has the run', async () => {
    const { store } = temporary;
    const { run } = await openRun(store);
    await expect(appendOnce(store, { ...run, epoch: run.epoch + 1 }, [aNote(run)], [])()).rejects.toThrow('another process');
  });
});
