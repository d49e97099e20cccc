/** The connections of a gateway that write. */
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import { AppError } from '../../errors';
import { CONNECT_MS, connectionConfig } from './postgres_address';
import { toStoreError } from './postgres_errors';
import { IDLE_SETTING } from './transaction_locks';

/** Connections at most; each has one transaction at a time. A server has a hundred connections for all gateways together. */
const MAX_CONNECTIONS = 8;
const CLOSE_IDLE_MS = 60_000;
/** Milliseconds that a work of a burst may wait for a connection. The pool would otherwise count this wait as a server that does not answer. */
const POOL_WAIT_MS = 20_000;
/** The server refuses a statement that waits so long for a row: longer than it waits for a gateway that was stopped. */
const ROW_WAIT_MS = 9_000;
/** Milliseconds for which a gateway asks whether a commit succeeded. */
const SETTLE_MS = 10_000;
const SETTLE_PAUSE_MS = 100;

/** A client of the pool that waits for the server no longer than any other client does. */
class PooledClient extends Client {
  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS });
  }
}

export class PostgresWriter {
  private readonly pool: Pool;

  constructor(url: string) {
    this.pool = new Pool({
      ...connectionConfig(url, { lock_timeout: ROW_WAIT_MS, ...IDLE_SETTING }),
      Client: PooledClient,
      connectionTimeoutMillis: POOL_WAIT_MS,
      max: MAX_CONNECTIONS,
      idleTimeoutMillis: CLOSE_IDLE_MS,
    });
    this.pool.on('error', () => {});
    // The statement that fails reports the same error.
    this.pool.on('connect', client => client.on('error', () => {}));
  }

  /** Resolves with a connection, in the order of the calls. Call its `release`. Rejects `store_unavailable`. */
  async take(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (thrown) {
      throw toStoreError(thrown);
    }
  }

  /** Resolves whether the server committed a transaction whose connection broke. Rejects when the server does not say so in time. */
  async settle(xid: string): Promise<boolean> {
    for (const end = performance.now() + SETTLE_MS; performance.now() < end; await delay(SETTLE_PAUSE_MS)) {
      const status = await this.statusOf(xid).catch(() => 'unreachable');
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
    }
    throw new AppError('store_unavailable', {
      message: 'The database did not say whether it stored the change: look before you repeat it.',
      messageZh: '数据库没有说明更改是否已保存：重复之前请先查看。',
    });
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async statusOf(xid: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ status: string }>(`select pg_xact_status('${BigInt(xid)}'::xid8) as status`);
    return rows[0]?.status;
  }
}
