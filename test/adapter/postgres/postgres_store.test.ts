import { Client } from 'pg';
import { openPostgresStore } from '../../../src/adapter/postgres/postgres_store';
import type { Store } from '../../../src/port/store/store';
import { describeStoreContract, type StoreUnderTest } from '../../contract/store_contract';
import { describeWithPostgres, emptyTables, type PostgresServer, startPostgres } from '../../support/postgres_server';
import { STORE_PARTS } from '../../support/store_parts';

let server: PostgresServer;
let url: string;
let shared: Store;
let cleaner: Client;

/** The same store for every test, emptied before each. */
async function open(): Promise<StoreUnderTest> {
  await emptyTables(cleaner);
  const others: Store[] = [];
  const openAnother = async () => {
    const store = await openPostgresStore({ parts: STORE_PARTS, url });
    others.push(store);
    return store;
  };
  const release = async () => {
    for (const store of others) await store.close();
  };
  return { store: shared, openAnother, release };
}

describeWithPostgres('Postgres', () => {
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    shared = await openPostgresStore({ parts: STORE_PARTS, url });
    cleaner = new Client({ connectionString: url });
    await cleaner.connect();
  });
  afterAll(async () => {
    await cleaner?.end();
    await shared?.close();
    await server?.stop();
  });

  describeStoreContract('Postgres', open);

  it('no search reads a list of new tokens of all tenants', async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query(`select relname, reloptions from pg_class where relname like '%_by_token' order by relname`);
      expect(rows).toEqual(
        ['memories_by_token', 'search_documents_by_token'].map(relname => ({ relname, reloptions: ['fastupdate=off'] })),
      );
    } finally {
      await client.end();
    }
  });
});
