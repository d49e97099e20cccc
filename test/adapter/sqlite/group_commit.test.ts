import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { type CommitReport, GroupCommitter } from '../../../src/adapter/sql/base/group_commit';
import type { Runner } from '../../../src/adapter/sql/base/query_template';
import { SqliteConnection } from '../../../src/adapter/sqlite/sqlite_connection';
import { AppError, inOneLanguage } from '../../../src/errors';
import { withDirectory } from '../../support/temporary_store';

const statement = (text: string, ...values: unknown[]) => CompiledQuery.raw(text, values) as CompiledQuery;
const insert = (value: number | string) => (runner: Runner) => runner.changes(statement('insert into things (value) values (?)', value));
const UNAVAILABLE = { code: 'store_unavailable', message: 'The store cannot be written now; nothing was accepted.' };

interface Fixture {
  connection: SqliteConnection;
  committer: GroupCommitter;
  commits: CommitReport[];
  values(): Promise<unknown[]>;
}

const withCommitter = (use: (fixture: Fixture) => Promise<void>) => () =>
  withDirectory(async directory => {
    const connection = SqliteConnection.open(join(directory, 'things.db'), { busyTimeoutMs: 5 });
    connection.execute('create table things (id integer primary key, value)');
    const commits: CommitReport[] = [];
    const committer = new GroupCommitter(connection, { windowMs: 0, workTimeoutMs: 50, onCommit: report => commits.push(report) });
    const values = async () =>
      (
        await connection.rows<{ value: unknown }>(statement('select value from things order by id') as CompiledQuery<{ value: unknown }>)
      ).map(row => row.value);
    try {
      await use({ connection, committer, commits, values });
    } finally {
      await committer.close();
      connection.close();
    }
  });

test(
  'rejects the whole group when the disk is full, keeps none of it, and recovers when there is room',
  withCommitter(async ({ connection, committer, values }) => {
    connection.execute('pragma max_page_count = 10');
    const large = 'x'.repeat(100_000);
    const results = await Promise.allSettled([1, large, 3].map(value => committer.submit(insert(value))));
    expect(results).toMatchObject(Array(3).fill({ status: 'rejected', reason: UNAVAILABLE }));
    expect(await values()).toEqual([]);
    await committer.submit(insert('small'));
    connection.execute('pragma max_page_count = 10000');
    await committer.submit(insert(large));
    expect(await values()).toEqual(['small', large]);
  }),
);

test(
  'rejects a work that catches the error of a failing disk',
  withCommitter(async ({ connection, committer, values }) => {
    connection.execute('pragma max_page_count = 10');
    const careless = committer.submit(async runner => {
      await insert(1)(runner);
      await insert('x'.repeat(100_000))(runner).catch(() => undefined);
    });
    await expect(careless).rejects.toMatchObject(UNAVAILABLE);
    expect(await values()).toEqual([]);
  }),
);

test(
  'rejects writes while the medium is read-only, and recovers',
  withCommitter(async ({ connection, committer, values }) => {
    connection.execute('pragma query_only = on');
    await expect(committer.submit(insert(1))).rejects.toMatchObject(UNAVAILABLE);
    connection.execute('pragma query_only = off');
    await committer.submit(insert(2));
    expect(await values()).toEqual([2]);
  }),
);

test(
  'rejects the whole group when the commit fails, keeps none of it, and recovers',
  withCommitter(async ({ connection, committer, commits, values }) => {
    // A deferred constraint makes the commit itself fail.
    connection.execute('create table parts (thing integer references things (id) deferrable initially deferred)');
    const orphan = (runner: Runner) => runner.changes(statement('insert into parts (thing) values (99)'));
    const results = await Promise.allSettled([committer.submit(insert(1)), committer.submit(orphan), committer.submit(insert(3))]);
    expect(results).toMatchObject(Array(3).fill({ status: 'rejected', reason: UNAVAILABLE }));
    expect(commits).toMatchObject([{ works: 3, rejected: 3 }]);
    await committer.submit(insert(4));
    expect(await values()).toEqual([4]);
  }),
);

test(
  'tells callers when nobody knows what became of their commit',
  withCommitter(async ({ connection, committer }) => {
    const unknown = new AppError('store_unavailable', inOneLanguage('Look before you repeat it.'));
    connection.commit = () => {
      throw unknown;
    };
    await expect(committer.submit(insert(1))).rejects.toBe(unknown);
  }),
);

test(
  'rejects the whole group when SQLite rolls back the transaction midway',
  withCommitter(async ({ connection, committer, values }) => {
    connection.execute("create trigger give_up before insert on things when new.value = 'fatal' begin select raise(rollback, 'gone'); end");
    const results = await Promise.allSettled([committer.submit(insert(1)), committer.submit(insert('fatal')), committer.submit(insert(3))]);
    expect(results).toMatchObject(Array(3).fill({ status: 'rejected', reason: UNAVAILABLE }));
    await committer.submit(insert(4));
    expect(await values()).toEqual([4]);
  }),
);

test(
  'undoes a work that waits for something other than the store, and serves the others',
  withCommitter(async ({ committer, values }) => {
    const stuck = committer.submit(async runner => {
      await insert('stuck')(runner);
      await committer.submit(insert('inner'));
    });
    const other = committer.submit(insert(2));
    await expect(stuck).rejects.toMatchObject({ code: 'internal', message: 'A transaction waited for something other than the store.' });
    await other;
    // The inner work was submitted while the group ran, so it is in the next group.
    await committer.close();
    expect(await values()).toEqual([2, 'inner']);
  }),
);

test(
  'sets durability, foreign keys and a busy timeout on a connection',
  withCommitter(async ({ connection }) => {
    const read = async (name: string) => Object.values((await connection.rows(statement(`pragma ${name}`)))[0] as object)[0];
    expect(await read('journal_mode')).toBe('wal');
    expect(await read('synchronous')).toBe(2);
    expect(await read('foreign_keys')).toBe(1);
    expect(await read('busy_timeout')).toBe(5);
  }),
);

test(
  'commits a group early when its works hold the event loop for long, and runs the others next, in order',
  withCommitter(async ({ committer, commits, values }) => {
    const slow = (value: number) => async (runner: Runner) => {
      for (const end = performance.now() + 10; performance.now() < end; );
      await insert(value)(runner);
    };
    await Promise.all([1, 2, 3].map(value => committer.submit(slow(value))));
    expect(commits.map(({ works }) => works)).toEqual([1, 1, 1]);
    expect(await values()).toEqual([1, 2, 3]);
  }),
);

test(
  'lets a patient work wait for a commit that others need, and commits it alone when none comes',
  withCommitter(async ({ committer, commits, values }) => {
    const patient = committer.submit(insert('patient'), { isPatient: true });
    await new Promise(resolve => setImmediate(resolve));
    expect(commits).toEqual([]);
    await committer.submit(insert('urgent'));
    await patient;
    expect(await values()).toEqual(['patient', 'urgent']);
    expect(commits).toMatchObject([{ works: 2 }]);
    await committer.submit(insert('alone'), { isPatient: true });
    expect(commits).toMatchObject([{ works: 2 }, { works: 1 }]);
  }),
);

test(
  'commits patient works before it closes',
  withCommitter(async ({ committer, values }) => {
    const patient = committer.submit(insert('patient'), { isPatient: true });
    await committer.close();
    await patient;
    expect(await values()).toEqual(['patient']);
  }),
);
