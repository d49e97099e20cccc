import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CommitReport } from '../../../src/adapter/sql/base/group_commit';
import { openSqliteStore } from '../../../src/adapter/sqlite/sqlite_store';
import type { StoreTransaction } from '../../../src/port/store/store';
import { describeStoreContract } from '../../contract/store_contract';
import { STORE_PARTS } from '../../support/store_parts';
import { aSession, seed, TENANT } from '../../support/store_records';
import { openTemporaryStore, withDirectory } from '../../support/temporary_store';

describeStoreContract('SQLite', openTemporaryStore);

const insert = (id: string) => (tx: Pick<StoreTransaction, 'sessions'>) => tx.sessions.insert(aSession({ id }));

describe('the SQLite store', () => {
  test('commits waiting transactions together', async () => {
    const commits: CommitReport[] = [];
    const { store, release } = await openTemporaryStore({ onCommit: report => commits.push(report) });
    const first = Array.from({ length: 30 }, (_, i) => store.transaction('none', insert(`ses_a${i}`)));
    await Promise.all(first);
    // A group ends after 8 ms, so a busy machine can need more than one.
    expect(commits.reduce((sum, { works }) => sum + works, 0)).toBe(30);
    expect(commits.length).toBeLessThan(10);
    await release();
  });

  test('gathers transactions for the length of the window', async () => {
    const commits: CommitReport[] = [];
    const { store, release } = await openTemporaryStore({ commitWindowMs: 100, onCommit: report => commits.push(report) });
    const first = store.transaction('none', insert('ses_1'));
    const later = new Promise(resolve => setImmediate(resolve)).then(() => store.transaction('none', insert('ses_2')));
    await Promise.all([first, later]);
    expect(commits.map(({ works }) => works)).toEqual([2]);
    await release();
  });

  test('empties a long log while the event loop and other writers go on', () =>
    withDirectory(async directory => {
      const path = join(directory, 'neta.db');
      const logWorker = join(__dirname, '../../../dist/src/adapter/sqlite/log_worker_entry.js');
      const store = await openSqliteStore({ parts: STORE_PARTS, path, logWorker });
      // Its snapshot keeps the log from being used again, so that it grows.
      const reader = new DatabaseSync(path);
      reader.exec('begin; select count(*) from sessions');
      const metadata = { text: 'x'.repeat(1024 * 1024) };
      for (let i = 0; i < 60; i += 1) await store.transaction('none', tx => tx.sessions.insert(aSession({ id: `ses_${i}`, metadata })));
      reader.exec('commit');
      reader.close();
      const before = await stat(`${path}-wal`);
      expect(before.size).toBeGreaterThan(50 * 1024 * 1024);
      let isEmpty: boolean | undefined;
      const emptying = store.emptyLog().then(empty => {
        isEmpty = empty;
      });
      let turns = 0;
      for (; isEmpty === undefined; turns += 1) await new Promise(setImmediate);
      await emptying;
      expect(isEmpty).toBe(true);
      // One synchronous call would leave one turn.
      expect(turns).toBeGreaterThan(20);
      expect((await stat(`${path}-wal`)).size).toBe(0);
      await store.transaction('none', insert('ses_after'));
      expect(await store.read.sessions.get(TENANT, 'ses_59')).toMatchObject({ metadata });
      await store.close();
    }));

  test('keeps its rows when it is closed and reopened, in files that only the owner can read', () =>
    withDirectory(async directory => {
      const path = join(directory, 'data', 'deep', 'neta.db');
      const store = await openSqliteStore({ parts: STORE_PARTS, path });
      await seed(store);
      for (const file of [path, `${path}-wal`, `${path}-shm`]) expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
      await store.close();
      const again = await openSqliteStore({ parts: STORE_PARTS, path });
      expect(await again.read.sessions.get(TENANT, 'ses_1')).toEqual(aSession());
      await again.close();
    }));

  test('rejects writes while another process holds the lock, and recovers', async () => {
    const { store, path, release } = await openTemporaryStore({ busyTimeoutMs: 5 });
    await seed(store);
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const results = await Promise.allSettled([
      store.transaction('none', insert('ses_2')),
      store.transaction('none', insert('ses_3')),
      store.check(),
    ]);
    expect(results).toMatchObject(Array(3).fill({ status: 'rejected', reason: { code: 'store_unavailable', cause: expect.anything() } }));
    expect(await store.read.sessions.get(TENANT, 'ses_1')).toBeDefined();
    other.close();
    await store.transaction('none', insert('ses_4'));
    const { data } = await store.read.sessions.list(TENANT, { limit: 10 });
    expect(data.map(session => session.id)).toEqual(['ses_4', 'ses_1']);
    await release();
  });

  test('finishes submitted transactions when it closes, and rejects later ones', async () => {
    const { store, path, release } = await openTemporaryStore();
    const taken = store.transaction('none', insert('ses_1'));
    await Promise.all([store.close(), store.close()]);
    await expect(taken).resolves.toBeUndefined();
    await expect(store.transaction('none', insert('ses_2'))).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(store.read.sessions.get(TENANT, 'ses_1')).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(store.check()).rejects.toMatchObject({ code: 'store_unavailable' });
    const again = await openSqliteStore({ parts: STORE_PARTS, path });
    expect(await again.read.sessions.get(TENANT, 'ses_1')).toEqual(aSession());
    await again.close();
    await release();
  });

  test('shows no statement in an error', async () => {
    const { store, release } = await openTemporaryStore();
    await seed(store);
    const error: Error = await store.transaction('none', insert('ses_1')).then(
      () => new Error('stored twice'),
      thrown => thrown,
    );
    expect(error.message).toBe('Something went wrong inside the gateway.');
    await release();
  });
});
