/** The connections that read what is committed. */
import type { CompiledQuery } from 'kysely';
import { Pool } from 'pg';
import type { Runner } from '../sql/base/query_template';
import { connectionConfig, POOL_WAIT_MS } from './postgres_address';
import { toStoreError } from './postgres_errors';
import { toQueryConfig } from './postgres_values';
import { PooledClient } from './server_client';

/** Connections at most. Reads are short; a server has a hundred connections for all gateways together. */
const MAX_CONNECTIONS = 4;
const IDLE_MS = 60_000;

export class PostgresReader implements Runner {
  private readonly pool: Pool;

  constructor(url: string) {
    this.pool = new Pool({
      ...connectionConfig(url, { default_transaction_read_only: 'on' }),
      Client: PooledClient,
      connectionTimeoutMillis: POOL_WAIT_MS,
      max: MAX_CONNECTIONS,
      idleTimeoutMillis: IDLE_MS,
    });
    // The pool forgets a connection that breaks; the next read opens another one.
    this.pool.on('error', () => {});
  }

  async rows<R>(query: CompiledQuery<R>): Promise<R[]> {
    try {
      return (await this.pool.query(toQueryConfig(query))).rows as R[];
    } catch (thrown) {
      throw toStoreError(thrown);
    }
  }

  /** Resolves with the first row of a statement that always has one. */
  async row<R>(text: string): Promise<R> {
    try {
      return (await this.pool.query(text)).rows[0] as R;
    } catch (thrown) {
      throw toStoreError(thrown);
    }
  }

  /** Readers change nothing; the server refuses a change. */
  async changes(query: CompiledQuery): Promise<number> {
    return (await this.rows(query)).length;
  }

  async write(query: CompiledQuery): Promise<void> {
    await this.rows(query);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
