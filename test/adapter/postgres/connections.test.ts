/** Who has a connection that writes: a transaction has it until it gives it back, and gives it back once. */
import { CompiledQuery } from 'kysely';
import type { PoolClient } from 'pg';
import { PostgresReader } from '../../../src/adapter/postgres/postgres_reader';
import { openPostgresStore } from '../../../src/adapter/postgres/postgres_store';
import { PostgresTransaction } from '../../../src/adapter/postgres/postgres_transaction';
import { PostgresWriter } from '../../../src/adapter/postgres/postgres_writer';
import { CONNECT_MS } from '../../../src/adapter/postgres/server_client';
import { beginStatements, lockNames, MIGRATION_LOCK } from '../../../src/adapter/postgres/transaction_locks';
import { AppError } from '../../../src/errors';
import { describeWithPostgres, type PostgresServer, query, startPostgres } from '../../support/postgres_server';
import { STORE_PARTS } from '../../support/store_parts';
import { aSession, TENANT } from '../../support/store_records';
import { until } from '../../support/until';

const NAMES = lockNames({ session: { tenantId: TENANT, sessionId: 'ses_held' } });
/** Connections that a gateway writes with. */
const CONNECTIONS = 8;
/** Connections that a gateway reads with. */
const READ_CONNECTIONS = 4;

/** Begins a transaction that holds the locks of NAMES. */
async function begin(client: PoolClient): Promise<void> {
  for (const { text, values } of beginStatements(NAMES)) await client.query(text, [...values]);
}

/** Inserts of these sessions take a second to commit. */
const SLOW_COMMITS = `
  create function slow_commit() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
  create constraint trigger slow_commit after insert on sessions deferrable initially deferred
    for each row when (new.id like 'ses_slow%') execute function slow_commit()`;

describeWithPostgres('connections that write', () => {
  let server: PostgresServer;
  let url: string;

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
  });
  afterAll(() => server?.stop());

  it('leaves a connection alone that another transaction has since a lock was refused', async () => {
    const writer = new PostgresWriter(url);
    const holder = await writer.take();
    await begin(holder);
    const client = await writer.take();
    let other: PoolClient | undefined;
    // No connection is free in time: the one that the transaction gave back belongs to another transaction now.
    const busy = Object.assign(Object.create(writer) as PostgresWriter, {
      take: async () => {
        other = await writer.take();
        await other.query('begin');
        throw new AppError('store_unavailable');
      },
    });
    const transaction = new PostgresTransaction(busy, client, NAMES);
    await expect(transaction.commit()).rejects.toMatchObject({ code: 'store_unavailable' });
    await transaction.end();
    expect(other).toBe(client);
    expect((await client.query('select pg_current_xact_id_if_assigned() is null as idle')).rows).toEqual([{ idle: true }]);
    await client.query('commit');
    client.release();
    await holder.query('rollback');
    holder.release();
    await writer.close();
  });

  it('keeps no connection and no lock for a write that was sent before another lock was refused', async () => {
    const [holder, other] = [new PostgresWriter(url), await openPostgresStore({ parts: STORE_PARTS, url })];
    const second = await openPostgresStore({ parts: STORE_PARTS, url });
    await other.transaction('none', tx => tx.sessions.insert(aSession({ id: 'ses_held' })));
    const client = await holder.take();
    await begin(client);
    const shared = `select 1 from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and objid = ${MIGRATION_LOCK} and granted`;
    expect(await query(url, shared)).toHaveLength(1);
    await client.query("update sessions set title = 'held' where id = 'ses_held'");
    const lock = { tenant: TENANT, session: { tenantId: TENANT, sessionId: 'ses_held' } };
    const waiting = other.transaction(lock, tx => tx.sessions.update(TENANT, 'ses_held', { title: 'late' }));
    await new Promise(resolve => setTimeout(resolve, 200));
    const begunAt = performance.now();
    await second.transaction({ tenant: TENANT }, tx => tx.sessions.get(TENANT, 'ses_held'));
    expect(await query(url, "select query from pg_stat_activity where wait_event_type = 'Lock' and query like 'update%'")).toEqual([]);
    expect(performance.now() - begunAt).toBeLessThan(3_000);
    await client.query('commit');
    client.release();
    await waiting;
    expect((await second.read.sessions.get(TENANT, 'ses_held'))?.title).toBe('late');
    for (const store of [holder, other, second]) await store.close();
  });

  it('lets a burst of reads wait for a connection longer than a connection may take to stand', async () => {
    const reader = new PostgresReader(url);
    const sleep = `select pg_sleep(${(CONNECT_MS + 300) / 1_000})`;
    const reads = [...Array<string>(READ_CONNECTIONS).fill(sleep), 'select 1'].map(text => reader.rows(CompiledQuery.raw(text)));
    await expect(Promise.all(reads)).resolves.toHaveLength(READ_CONNECTIONS + 1);
    await reader.close();
  }, 30_000);

  it('finds out at once what became of commits when every connection breaks', async () => {
    const store = await openPostgresStore({ parts: STORE_PARTS, url });
    await query(url, SLOW_COMMITS);
    const inserted = Array.from({ length: CONNECTIONS }, (_, i) =>
      store.transaction('none', tx => tx.sessions.insert(aSession({ id: `ses_slow_${i}` }))),
    );
    const outcomes = Promise.allSettled(inserted);
    const committing = "from pg_stat_activity where query = 'commit' and state = 'active' and datname = current_database()";
    await until(async () => (await query(url, `select 1 ${committing}`)).length === CONNECTIONS);
    const begunAt = performance.now();
    await query(url, `select pg_terminate_backend(pid) ${committing}`);
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'store_unavailable', message: new AppError('store_unavailable').message },
      });
    expect(performance.now() - begunAt).toBeLessThan(4_000);
    await store.transaction('none', tx => tx.sessions.insert(aSession({ id: 'ses_after' })));
    expect(await store.read.sessions.get(TENANT, 'ses_after')).toBeDefined();
    await store.close();
  });
});
