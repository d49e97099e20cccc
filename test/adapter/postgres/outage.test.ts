import { createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { migrationConfig } from '../../../src/adapter/postgres/postgres_address';
import { openPostgresStore } from '../../../src/adapter/postgres/postgres_store';
import { PostgresWriter } from '../../../src/adapter/postgres/postgres_writer';
import type { Store } from '../../../src/port/store/store';
import { StoreOpenError } from '../../../src/port/store/store_errors';
import { describeWithPostgres, ownPostgres, type PostgresServer, query, startPostgres } from '../../support/postgres_server';
import { STORE_PARTS } from '../../support/store_parts';
import { aSession, seed, TENANT } from '../../support/store_records';
import { until } from '../../support/until';

/** Passes bytes on to the server, and can lose the answer to a commit. */
async function startProxy(target: string): Promise<{ url: string; loseNextCommit(): void; lostAnswers(): number; close(): void }> {
  const address = new URL(target);
  let isArmed = false;
  let lost = 0;
  const sockets = new Set<Socket>();
  const { connect } = await import('node:net');
  const proxy = createServer(client => {
    const upstream = connect(Number(address.port), address.hostname);
    let isLosing = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => (socket === client ? upstream : client).destroy());
    }
    client.on('data', (bytes: Buffer) => {
      if (isArmed && bytes.includes('commit\0')) [isArmed, isLosing] = [false, true];
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (!isLosing) return void client.write(bytes);
      // The server has committed and says so; the gateway never hears it.
      lost += 1;
      client.destroy();
    });
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => proxy.once('listening', resolve));
  const { port } = proxy.address() as { port: number };
  const url = new URL(target);
  url.port = String(port);
  return {
    url: url.href,
    loseNextCommit() {
      isArmed = true;
    },
    lostAnswers: () => lost,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

const HELD = { session: { tenantId: TENANT, sessionId: 'ses_held' } };

describeWithPostgres('the store over Postgres', () => {
  let server: PostgresServer;
  let url: string;
  const opened: Store[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(() => server?.stop());

  const open = async (address = url) => {
    const store = await openPostgresStore({ parts: STORE_PARTS, url: address });
    opened.push(store);
    return store;
  };
  const insert = (store: Store, id: string) => store.transaction('none', tx => tx.sessions.insert(aSession({ id })));
  const has = async (store: Store, id: string) => (await store.read.sessions.get(TENANT, id)) !== undefined;

  test('several gateways may create the tables at once', async () => {
    const address = await server.createDatabase();
    const stores = await Promise.all([open(address), open(address), open(address)]);
    await Promise.all(stores.map((store, i) => insert(store, `ses_${i}`)));
    expect((await stores[0].read.sessions.list(TENANT, { limit: 10 })).data).toHaveLength(3);
  });

  test('asks the server for durable commits, whatever its own setting is', async () => {
    const address = await server.createDatabase();
    await query(address, `alter database ${new URL(address).pathname.slice(1)} set synchronous_commit = off`);
    const writer = new PostgresWriter(address);
    const client = await writer.take();
    expect((await client.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
    client.release();
    await writer.close();
    const other = new PostgresWriter(`${address}?options=-c%20synchronous_commit%3Doff%20-c%20work_mem%3D5MB`);
    const reader = await other.take();
    expect((await reader.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
    expect((await reader.query('show work_mem')).rows).toEqual([{ work_mem: '5MB' }]);
    reader.release();
    await other.close();
  });

  test('lets a migration, and the wait for the one of another gateway, take longer than a statement', async () => {
    const client = new Client(migrationConfig(url));
    await client.connect();
    for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
      expect((await client.query(`show ${name}`)).rows).toEqual([{ [name]: '0' }]);
    }
    expect(client).toMatchObject({ connectionParameters: { query_timeout: false } });
    await client.end();
  });

  test('holds texts and numbers that Postgres does not know: U+0000, half a character, a number beyond every stored one', async () => {
    const store = await open();
    await insert(store, 'ses_odd');
    await store.transaction('none', tx => tx.sessions.update(TENANT, 'ses_odd', { title: 'a\0b\ud800' }));
    expect((await store.read.sessions.get(TENANT, 'ses_odd'))?.title).toBe('a\ufffdb\ufffd');
    for (const seq of [2 ** 53, 1e30, Number.POSITIVE_INFINITY])
      expect(await store.read.events.list(TENANT, 'run_none', seq, 10)).toEqual([]);
  });

  test('resolves a transaction whose commit was stored and whose answer was lost, and does not store it again', async () => {
    const proxy = await startProxy(url);
    const store = await open(proxy.url);
    proxy.loseNextCommit();
    await expect(insert(store, 'ses_lost_answer')).resolves.toBeUndefined();
    expect(proxy.lostAnswers()).toBe(1);
    expect(await has(store, 'ses_lost_answer')).toBe(true);
    await insert(store, 'ses_after');
    expect(await has(store, 'ses_after')).toBe(true);
    await store.close();
    proxy.close();
  });

  test('rejects a transaction whose connection the server ended before the commit, and goes on with the next', async () => {
    const store = await open();
    const cut = store.transaction('none', async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_cut' }));
      // A write does not wait for its answer, and until then the transaction is not idle.
      await tx.sessions.get(TENANT, 'ses_cut');
      await query(url, "select pg_terminate_backend(pid) from pg_stat_activity where state like 'idle in transaction%'");
      await tx.sessions.insert(aSession({ id: 'ses_cut_too' }));
    });
    await expect(cut).rejects.toMatchObject({ code: 'store_unavailable' });
    await insert(store, 'ses_next');
    expect([await has(store, 'ses_cut'), await has(store, 'ses_next')]).toEqual([false, true]);
  });

  test('undoes a work that catches the error of a statement, and no other', async () => {
    const store = await open();
    await insert(store, 'ses_taken');
    const results = await Promise.allSettled([
      insert(store, 'ses_before'),
      store.transaction('none', async tx => {
        await tx.sessions.insert(aSession({ id: 'ses_careless' }));
        await tx.sessions.insert(aSession({ id: 'ses_taken' })).catch(() => {});
      }),
      insert(store, 'ses_behind'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await Promise.all(['ses_before', 'ses_careless', 'ses_behind'].map(id => has(store, id)))).toEqual([true, false, true]);
  });

  test('waits for a session that another gateway has locked, and holds nobody else up meanwhile', async () => {
    const [holder, waiting] = [await open(), await open()];
    await holder.transaction('none', tx => tx.sessions.insert(aSession({ id: 'ses_held', title: '0' })));
    const order: string[] = [];
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const first = holder.transaction(HELD, async tx => {
      await tx.sessions.update(TENANT, 'ses_held', { title: '1' });
      await held;
      order.push('first');
    });
    await until(async () => (await query(url, "select 1 from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'")).length > 0);
    // More than a gateway has connections: none of them waits for the lock with a connection of its own.
    const second = Array.from({ length: 12 }, () =>
      waiting.transaction(HELD, async tx => {
        const before = await tx.sessions.get(TENANT, 'ses_held');
        order.push('second');
        await tx.sessions.update(TENANT, 'ses_held', { title: String(Number(before?.title) + 1) });
      }),
    );
    await insert(waiting, 'ses_beside');
    expect(order).not.toContain('first');
    release();
    await Promise.all([first, ...second]);
    expect((await waiting.read.sessions.get(TENANT, 'ses_held'))?.title).toBe('13');
  });

  test('keeps what two gateways decide on the same reading apart', async () => {
    const [one, other] = [await open(), await open()];
    await one.transaction('none', tx => tx.sessions.insert(aSession({ id: 'ses_count', title: '0' })));
    const increase = (store: Store) =>
      store.transaction({ session: { tenantId: TENANT, sessionId: 'ses_count' } }, async tx => {
        const session = await tx.sessions.get(TENANT, 'ses_count');
        await tx.sessions.update(TENANT, 'ses_count', { title: String(Number(session?.title) + 1) });
      });
    await Promise.all(Array.from({ length: 40 }, (_, i) => increase(i % 2 === 0 ? one : other)));
    expect((await one.read.sessions.get(TENANT, 'ses_count'))?.title).toBe('40');
  });

  test('ends the transaction of a gateway that has stopped, so that the others go on', async () => {
    const [stopped, other] = [await open(), await open()];
    const stuck = stopped.transaction('none', async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_stuck' }));
      // The insert goes to the server with this read.
      await tx.sessions.get(TENANT, 'ses_stuck');
      await new Promise(resolve => setTimeout(resolve, 8_000).unref());
      await tx.sessions.get(TENANT, 'ses_stuck');
    });
    await Promise.all([expect(stuck).rejects.toMatchObject({ code: 'store_unavailable' }), insert(other, 'ses_free')]);
    expect([await has(other, 'ses_stuck'), await has(other, 'ses_free')]).toEqual([false, true]);
  });

  (ownPostgres ? test : test.skip)(
    'rejects reads and writes while the server is down, and recovers',
    async () => {
      const store = await open();
      await seed(store);
      await server.kill();
      const results = await Promise.allSettled([insert(store, 'ses_down'), store.read.sessions.get(TENANT, 'ses_1'), store.check()]);
      expect(results).toMatchObject(Array(3).fill({ status: 'rejected', reason: { code: 'store_unavailable' } }));
      await expect(openPostgresStore({ parts: STORE_PARTS, url })).rejects.toThrow(StoreOpenError);
      await server.restart();
      await store.check();
      await insert(store, 'ses_up');
      expect([await has(store, 'ses_1'), await has(store, 'ses_down'), await has(store, 'ses_up')]).toEqual([true, false, true]);
    },
    30_000,
  );

  test('finishes submitted transactions when it closes, and rejects later ones', async () => {
    const store = await open();
    const taken = insert(store, 'ses_last');
    await Promise.all([store.close(), store.close()]);
    await expect(taken).resolves.toBeUndefined();
    await expect(insert(store, 'ses_late')).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(store.read.sessions.get(TENANT, 'ses_last')).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test('refuses a database in another encoding, and an address where nothing listens, in one sentence without the password', async () => {
    await query(url, "create database latin template template0 encoding 'LATIN1' locale 'C'");
    const latin = new URL(url);
    latin.pathname = '/latin';
    await expect(openPostgresStore({ parts: STORE_PARTS, url: latin.href })).rejects.toThrow('encoding LATIN1');
    const closed = openPostgresStore({ parts: STORE_PARTS, url: 'postgres://neta:secret@127.0.0.1:1/neta' });
    const unknown = openPostgresStore({ parts: STORE_PARTS, url: `${url}?sslmode=verifyfull` });
    await expect(unknown).rejects.toThrow('DATABASE_URL: sslmode=verifyfull does not exist');
    await expect(closed).rejects.toThrow('The database postgres://127.0.0.1:1/neta cannot be opened: nothing listens at this address.');
  });

  test('refuses the database of another program, and changes nothing in it', async () => {
    const [migrated, foreign] = [await server.createDatabase(), await server.createDatabase()];
    await query(migrated, 'create table schema_migrations (version text)');
    await expect(openPostgresStore({ parts: STORE_PARTS, url: migrated })).rejects.toThrow('The database belongs to another program');
    await query(foreign, 'create table runs (id integer)');
    await expect(openPostgresStore({ parts: STORE_PARTS, url: foreign })).rejects.toThrow(
      'belongs to another program (relation "runs" already exists)',
    );
    const tables = await query(foreign, "select table_name from information_schema.tables where table_schema = 'public'");
    expect(tables).toEqual([{ table_name: 'runs' }]);
  });
});
