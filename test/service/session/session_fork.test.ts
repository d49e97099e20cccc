import { createSystemClock } from '../../../src/adapter/local/node/clock';
import { createIdSource } from '../../../src/adapter/local/node/ids';
import { openPostgresStore } from '../../../src/adapter/postgres/postgres_store';
import type { Store } from '../../../src/port/store/store';
import { OncePerKey } from '../../../src/service/once_per_key';
import { deleteAbandonedCopies, forkSession } from '../../../src/service/session/session_fork';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../../support/postgres_server';
import { STORE_PARTS } from '../../support/store_parts';
import { aMessage, aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

const SOURCE = aSession();
const MESSAGES = 1_000;
const KEY = { key: 'fork-1', fingerprint: 'the same request' };

async function fill(store: Store): Promise<void> {
  await store.transaction('none', async tx => {
    await tx.sessions.insert(SOURCE);
    await tx.runs.insert(aRun({ status: 'completed' }));
    const numbers = Array.from({ length: MESSAGES }, (_, position) => position);
    await tx.messages.insert(numbers.map(position => aMessage({ position, message: { role: 'user', content: `beans ${position}` } })));
  });
}

/** Adds the tests for one kind of store. `open` resolves with two gateways of one database. */
function describeForks(open: () => Promise<{ first: Store; second: Store; release: () => Promise<void> }>): void {
  let first: Store;
  let second: Store;
  let release: () => Promise<void>;
  const clock = createSystemClock();
  const ids = createIdSource(clock);
  const fork = (store: Store, once = new OncePerKey()) => forkSession({ store, clock, ids }, SOURCE, {}, once);
  const shown = async () => (await first.read.sessions.list(TENANT, { limit: 10 })).data.map(({ id }) => id);
  const textsOf = async (id: string) => (await first.read.messages.history(TENANT, id)).map(({ message }) => message.content);

  /** A gateway that dies when it begins its transaction number `count` + 1. */
  const dyingAfter = (store: Store, count: number): Store => {
    let left = count;
    const transaction: Store['transaction'] = (lock, work) =>
      left-- > 0 ? store.transaction(lock, work) : Promise.reject(new Error('killed'));
    return { ...store, read: store.read, transaction };
  };

  beforeEach(async () => {
    ({ first, second, release } = await open());
    await fill(first);
  });
  afterEach(() => release());

  test('two requests with the same key at two gateways make one complete copy', async () => {
    const made = await Promise.all([fork(first, new OncePerKey(KEY)), fork(second, new OncePerKey(KEY))]);
    expect(new Set(made).size).toBe(1);
    expect(await shown()).toHaveLength(2);
    expect(await textsOf(made[0] as string)).toEqual(await textsOf('ses_1'));
  });

  test('a copy of a killed gateway is not shown; a request with its key continues it', async () => {
    await expect(fork(dyingAfter(first, 2), new OncePerKey(KEY))).rejects.toThrow('killed');
    expect(await shown()).toEqual(['ses_1']);
    const id = await fork(second, new OncePerKey(KEY));
    expect(await shown()).toEqual([id, 'ses_1']);
    expect(await textsOf(id as string)).toEqual(await textsOf('ses_1'));
    expect(await fork(first, new OncePerKey(KEY))).toBe(id);
  });

  test('the clean-up deletes a copy that no gateway continues, and then its key makes a new one', async () => {
    await expect(fork(dyingAfter(first, 2), new OncePerKey(KEY))).rejects.toThrow('killed');
    const purge = async (tenantId: string, id: string) => {
      await second.transaction('none', tx => tx.sessions.delete(tenantId, id));
    };
    await deleteAbandonedCopies({ store: second, clock }, purge);
    expect(await first.read.sessionCopies.abandoned(Number.MAX_SAFE_INTEGER, 10)).toHaveLength(1);
    const inAnHour = { ...clock, now: () => clock.now() + 3_600_000 };
    await deleteAbandonedCopies({ store: second, clock: inAnHour }, purge);
    expect(await first.read.sessionCopies.abandoned(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    const id = await fork(second, new OncePerKey(KEY));
    expect(await shown()).toEqual([id, 'ses_1']);
  });

  test('resolves with nothing when the source is deleted before all is copied', async () => {
    const deletes = dyingAfter(first, 99);
    let parts = 0;
    const transaction: Store['transaction'] = async (lock, work) => {
      if (parts++ === 1) while (await first.transaction('none', tx => tx.sessions.deletePart(TENANT, 'ses_1', 2_000)));
      return deletes.transaction(lock, work);
    };
    expect(await fork({ ...first, read: first.read, transaction })).toBeUndefined();
    expect(await shown()).toEqual(['ses_1']);
  });
}

describe('a fork in SQLite', () =>
  describeForks(async () => {
    const { store, openAnother, release } = await openTemporaryStore();
    return { first: store, second: await openAnother(), release };
  }));

describeWithPostgres('a fork in Postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.stop());

  describeForks(async () => {
    const url = await server.createDatabase();
    const [first, second] = [await openPostgresStore({ url, parts: STORE_PARTS }), await openPostgresStore({ url, parts: STORE_PARTS })];
    return {
      first,
      second,
      release: async () => {
        await first.close();
        await second.close();
      },
    };
  });
});
