/** Transactions over Postgres that a test begins and commits when it wants, each on a connection of its own and without any lock of the store. */
import { type CompiledQuery, Kysely } from 'kysely';
import { Client } from 'pg';
import { createPostgresDialect } from '../../src/adapter/postgres/postgres_dialect';
import { toQueryConfig } from '../../src/adapter/postgres/postgres_values';
import type { Schema } from '../../src/adapter/sql/base/schema';
import { type BindOwners, createOwners } from '../../src/adapter/sql/owners';
import type { StoreTransaction } from '../../src/port/store/store';
import { STORE_PARTS } from './store_parts';

export interface OpenTransaction {
  readonly tx: StoreTransaction;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export class OpenTransactions {
  private readonly clients = new Set<Client>();
  private readonly bind: BindOwners;

  constructor(private readonly url: string) {
    const compiler = new Kysely<Schema>({ dialect: createPostgresDialect(new Client(url)) });
    this.bind = createOwners(compiler, STORE_PARTS);
  }

  async begin(): Promise<OpenTransaction> {
    const client = new Client(this.url);
    client.on('error', () => {});
    this.clients.add(client);
    await client.connect();
    await client.query('begin isolation level read committed');
    const run = (query: CompiledQuery) => client.query(toQueryConfig(query));
    const tx = this.bind({
      rows: async query => (await run(query)).rows as never,
      changes: async query => (await run(query)).rowCount ?? 0,
      write: async query => void (await run(query)),
    });
    const end = (statement: string) => async () => {
      await client.query(statement);
      await client.end();
      this.clients.delete(client);
    };
    return { tx, commit: end('commit'), rollback: end('rollback') };
  }

  /** Ends all connections; the server rolls back what is open. */
  async close(): Promise<void> {
    await Promise.all([...this.clients].map(client => client.end()));
    this.clients.clear();
  }
}

/** Resolves when a transaction of this database waits for a lock. */
export async function untilOneWaits(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1",
    );
    if (rows.length > 0) return;
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
