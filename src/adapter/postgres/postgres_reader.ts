/** The connections that read what is committed. */
import type { CompiledQuery } from 'kysely';
import type { Runner } from '../sql/base/query_template';
import { connectionConfig } from './postgres_address';
import { toStoreError } from './postgres_errors';
import { toQueryConfig } from './postgres_values';
import { ServerPool } from './server_pool';

/** Connections at most. Reads are short; a server has a hundred connections for all gateways together. */
const MAX_CONNECTIONS = 4;

export class PostgresReader implements Runner {
  private readonly pool: ServerPool;

  constructor(url: string) {
    this.pool = new ServerPool(connectionConfig(url, { default_transaction_read_only: 'on' }), { max: MAX_CONNECTIONS });
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

  /** As ServerPool.leaveServer. */
  leaveServer(): void {
    this.pool.leaveServer();
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
