/** An address that names several servers: the gateway finds the one that accepts writes, and the new one after a promotion. */
import { CompiledQuery } from 'kysely';
import { connectionConfig } from '../../../src/adapter/postgres/postgres_address';
import { PostgresNotify } from '../../../src/adapter/postgres/postgres_notify';
import { PostgresReader } from '../../../src/adapter/postgres/postgres_reader';
import { openPostgresStore } from '../../../src/adapter/postgres/postgres_store';
import { ReplicaReader } from '../../../src/adapter/postgres/replica_reader';
import { ServerClient } from '../../../src/adapter/postgres/server_client';
import type { Store } from '../../../src/port/store/store';
import {
  describeWithPostgres,
  ownPostgres,
  type PostgresServer,
  query,
  type StandbyServer,
  startPostgres,
} from '../../support/postgres_server';
import { STORE_PARTS } from '../../support/store_parts';
import { aSession, TENANT } from '../../support/store_records';
import { until } from '../../support/until';

(ownPostgres ? describeWithPostgres : describe.skip)('an address with several servers', () => {
  let primary: PostgresServer;
  let standby: StandbyServer;
  let primaryPort: string;
  let database: string;
  const opened: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    primary = await startPostgres();
    standby = await primary.startStandby({ isSynchronous: true });
    const url = new URL(await primary.createDatabase());
    primaryPort = url.port;
    database = url.pathname.slice(1);
  }, 60_000);
  afterAll(async () => {
    for (const one of opened) await one.close();
    await standby?.stop();
    await primary?.stop();
  });

  /** An address with the standby first, and before it a port where nothing listens. */
  const address = (attributes = '') =>
    `postgres://neta:neta@127.0.0.1:1,127.0.0.1:${standby.port},127.0.0.1:${primaryPort}/${database}${attributes && `?target_session_attrs=${attributes}`}`;
  const open = async (url = address()): Promise<Store> => {
    const store = await openPostgresStore({ url, parts: STORE_PARTS });
    opened.push(store);
    return store;
  };
  const portOf = async (attributes: string) => {
    const client = new ServerClient(connectionConfig(address(attributes), {}));
    await client.connect();
    await client.end();
    return String(client.port);
  };

  it('leads to the first server of the wanted kind', async () => {
    // A commit waits until the standby has it, not until the standby shows it.
    await until(async () => (await portOf('any')) === String(standby.port));
    for (const attributes of ['read-write', 'primary']) expect(await portOf(attributes)).toBe(primaryPort);
    for (const attributes of ['any', 'standby', 'read-only', 'prefer-standby']) expect(await portOf(attributes)).toBe(String(standby.port));
  });

  it('is refused when none of them accepts writes, and says what each of them is', async () => {
    const only = address().replace(`,127.0.0.1:${primaryPort}`, '');
    await expect(open(only)).rejects.toThrow(
      `no server fits target_session_attrs=read-write (127.0.0.1:1: nothing listens at this address; 127.0.0.1:${standby.port} is a standby).`,
    );
  });

  describe('with a replica for lists', () => {
    let primaryUrl: string;
    let replicaUrl: string;
    beforeAll(async () => {
      primaryUrl = await primary.createDatabase();
      replicaUrl = primaryUrl.replace(primaryPort, String(standby.port));
    });
    const warnings: string[] = [];
    const openWith = async (readUrl?: string): Promise<Store> => {
      const log = { warn: (message: string) => void warnings.push(message) };
      const store = await openPostgresStore({ url: primaryUrl, readUrl, parts: STORE_PARTS, log });
      opened.push(store);
      return store;
    };
    const insert = (store: Store, id: string) => store.transaction('none', tx => tx.sessions.insert(aSession({ id })));
    const listed = async (store: Store) => (await store.lists.sessions.list(TENANT, { limit: 200 })).data.map(({ id }) => id);
    it('the replica answers, with everything that any gateway has stored before', async () => {
      const stores = [await openWith(), await openWith()];
      const reader = new PostgresReader(primaryUrl);
      // A busy machine has a slow replica, which this test does not look at.
      const lists = new ReplicaReader(replicaUrl, reader, warning => warnings.push(warning), 20_000);
      opened.push(lists, reader);
      const LIST = 'select id, pg_is_in_recovery() as replica from sessions order by created_at desc, id desc';
      for (let i = 0; i < 20; i += 1) {
        await insert(stores[i % 2] as Store, `ses_list_${i}`);
        expect(await lists.rows(CompiledQuery.raw(LIST))).toContainEqual({ id: `ses_list_${i}`, replica: true });
      }
      expect(warnings).toEqual([]);
    });

    it('the primary answers while the replica is behind, and the log says so once', async () => {
      const store = await openWith(replicaUrl);
      await query(replicaUrl, 'select pg_wal_replay_pause()');
      await insert(store, 'ses_behind');
      expect(await listed(store)).toContain('ses_behind');
      expect(await listed(store)).toContain('ses_behind');
      await query(replicaUrl, 'select pg_wal_replay_resume()');
      expect(warnings.splice(0)).toEqual([expect.stringContaining('it does not have what the primary stored 250 ms ago')]);
    });

    it('slow lists and one that takes too long send no other list away from the replica', async () => {
      const reader = new PostgresReader(primaryUrl);
      const lists = new ReplicaReader(replicaUrl, reader, warning => warnings.push(warning));
      opened.push(lists, reader);
      const from = async (text: string) => (await lists.rows<{ replica: boolean }>(CompiledQuery.raw(text)))[0]?.replica;
      const IS_REPLICA = 'select pg_is_in_recovery() as replica';
      const slow = Array.from({ length: 4 }, () => from(`${IS_REPLICA}, pg_sleep(0.6)`));
      await until(
        async () => (await query(replicaUrl, "select 1 from pg_stat_activity where query like '%replica, pg_sleep(0.6)'")).length === 4,
      );
      expect(await from(IS_REPLICA)).toBe(false);
      expect(await Promise.all(slow)).toEqual([true, true, true, true]);
      // As after the time limit of a statement.
      const CANCEL_OWN = 'select pg_cancel_backend(pg_backend_pid()), pg_sleep(1)';
      await expect(from(CANCEL_OWN)).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(await from(IS_REPLICA)).toBe(true);
      expect(warnings).toEqual([]);
    });

    it('the primary answers when the address leads to no server, to another database, or to the primary', async () => {
      const foreign = new URL(replicaUrl);
      foreign.pathname = `/${database}`;
      await query(primaryUrl, "insert into settings (key, value) values ('node_channel', 'neta_one')");
      for (const [i, url] of ['postgres://neta:neta@127.0.0.1:1/neta', foreign.href, primaryUrl].entries()) {
        const store = await openWith(url);
        await insert(store, `ses_elsewhere_${i}`);
        expect(await listed(store)).toContain(`ses_elsewhere_${i}`);
      }
      expect(warnings.splice(0)).toEqual([
        expect.stringContaining('nothing listens at this address'),
        expect.stringContaining('relation "settings" does not exist'),
        expect.stringContaining('it does not have what the primary stored 250 ms ago'),
      ]);
      await expect(openWith(`${replicaUrl}?target_session_attrs=primary`)).rejects.toThrow(
        'DATABASE_READ_URL: target_session_attrs=primary leads to the primary; use standby.',
      );
    });
  });

  it('leads to the standby once it was promoted: writes, reads and messages', async () => {
    const store = await open();
    const [sender, receiver] = [new PostgresNotify(address(), () => {}), new PostgresNotify(address(), () => {})];
    opened.push(sender, receiver);
    const heard: string[] = [];
    receiver.receive(
      text => heard.push(text),
      () => {},
    );
    const hears = (text: string) =>
      until(() => {
        sender.send(text);
        return heard.includes(text);
      });
    const insert = (id: string) => store.transaction('none', tx => tx.sessions.insert(aSession({ id })));
    await insert('ses_before');
    await hears('before');
    // The old primary stays, with all connections to it, and takes no writes.
    await query(address().replace(/127.*:(\d+)\//, `127.0.0.1:${primaryPort}/`), 'alter system set default_transaction_read_only = on');
    await query(address().replace(/127.*:(\d+)\//, `127.0.0.1:${primaryPort}/`), 'select pg_reload_conf()');
    await until(() =>
      insert('ses_refused').then(
        () => false,
        ({ code }) => code === 'store_unavailable',
      ),
    );
    await expect(insert('ses_lost')).rejects.toMatchObject({ code: 'store_unavailable' });
    await standby.promote();
    await until(() =>
      insert('ses_after').then(
        () => true,
        () => false,
      ),
    );
    // A connection hears of the reload a moment later, so the first of the refused inserts may have been stored.
    const found = (await store.read.sessions.list(TENANT, { limit: 10 })).data.map(({ id }) => id);
    expect(found.filter(id => id !== 'ses_refused').sort()).toEqual(['ses_after', 'ses_before']);
    await hears('after');
  }, 60_000);
});
