/** The connections of a gateway that write. */
import { setTimeout as delay } from 'node:timers/promises';
import { type ClientBase, DatabaseError, type PoolClient } from 'pg';
import { AppError } from '../../errors';
import { connectionConfig } from './postgres_address';
import { toStoreError } from './postgres_errors';
import { ServerPool } from './server_pool';
import { IDLE_SETTING } from './transaction_locks';

/** Connections at most; each has one transaction at a time. A server has a hundred connections for all gateways together. */
const MAX_CONNECTIONS = 8;
/** The server refuses a statement that waits so long for a row: longer than it waits for a gateway that was stopped. */
const ROW_WAIT_MS = 9_000;
/** Milliseconds for which a gateway asks whether a commit succeeded. */
const SETTLE_MS = 10_000;
const SETTLE_PAUSE_MS = 100;

/** SQLSTATE of pg_xact_status for an id that the server has not given to any transaction: the one that had it left nothing behind. */
const UNKNOWN_ID = '22023';

export class PostgresWriter {
  private readonly pool: ServerPool;
  /** Start of the server that a connection reached. A server that starts again, or takes the place of another, gives lost ids to other transactions. */
  private readonly serverStarts = new WeakMap<ClientBase, string | undefined>();

  /** `onLeave`: called when the server takes no writes any more. */
  constructor(
    url: string,
    private readonly onLeave: () => void = () => {},
  ) {
    this.pool = new ServerPool(connectionConfig(url, { lock_timeout: ROW_WAIT_MS, ...IDLE_SETTING }), {
      max: MAX_CONNECTIONS,
      onConnect: async client => void this.serverStarts.set(client, await startOfServer(client)),
    });
  }

  /** Resolves with a connection, in the order of the calls. Call its `release`. Rejects `store_unavailable`. */
  async take(): Promise<PoolClient> {
    try {
      return await this.pool.take();
    } catch (thrown) {
      throw toStoreError(thrown);
    }
  }

  /**
   * Resolves whether the server committed a transaction whose connection, `client`, broke. Rejects when the server cannot say so, or not in time.
   */
  async settle(xid: string, client: PoolClient): Promise<boolean> {
    const startedAt = this.serverStarts.get(client);
    for (const end = performance.now() + SETTLE_MS; performance.now() < end; await delay(SETTLE_PAUSE_MS)) {
      const { status, start } = await this.statusOf(xid).catch(() => ({ status: undefined, start: undefined }));
      if (status === 'aborted' || (status === 'in progress' && start !== startedAt)) return false;
      if (status !== 'committed') continue;
      // Another transaction may have got the id since: whether this one was stored, only its rows can say.
      if (start !== startedAt) break;
      if (await this.confirm()) return true;
    }
    throw new AppError('store_unavailable', {
      message: 'The database did not say whether it stored the change: look before you repeat it.',
      messageZh: '数据库没有说明更改是否已保存：重复之前请先查看。',
    });
  }

  /** Looks for the server that accepts writes: the one of these connections does not. */
  leaveServer(): void {
    this.pool.leaveServer();
    this.onLeave();
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async statusOf(xid: string): Promise<TransactionStatus> {
    const text = `select pg_postmaster_start_time()::text as start, case when not pg_is_in_recovery() then pg_xact_status('${BigInt(xid)}'::xid8) end as status`;
    try {
      return (await this.pool.query<TransactionStatus>(text)).rows[0] ?? {};
    } catch (thrown) {
      if (thrown instanceof DatabaseError && thrown.code === UNKNOWN_ID) return { status: 'aborted' };
      throw thrown;
    }
  }

  /** Writes behind the commit: a server with a synchronous standby answers once the standby has both. */
  private async confirm(): Promise<boolean> {
    return this.pool.query("select pg_logical_emit_message(true, 'neta', '')").then(
      () => true,
      () => false,
    );
  }
}

interface TransactionStatus {
  status?: string | null;
  start?: string;
}

async function startOfServer(client: ClientBase): Promise<string | undefined> {
  return (await client.query<{ start: string }>('select pg_postmaster_start_time()::text as start')).rows[0]?.start;
}
