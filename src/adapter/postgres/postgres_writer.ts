/**
 * The one connection of a gateway that writes. Each transaction holds an advisory lock of the database, so that the transactions of all gateways come
 * one after the other, as with SQLite: rows that a work has read stay unchanged until its commit. When the connection breaks, the next transaction
 * opens a new one; when it breaks during a commit, the server is asked whether the transaction was committed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import { Client, type QueryResult } from 'pg';
import { AppError } from '../../errors';
import type { CommitConnection } from '../sql/base/group_commit';
import { connectionConfig } from './postgres_address';
import { isConnectionLost, toStoreError } from './postgres_errors';
import { toQueryConfig } from './postgres_values';

/** Key of the advisory lock of all transactions: "neta" in ASCII. */
export const WRITE_LOCK = 0x6e657461;
/**
 * The server ends a transaction that waits this long for its gateway: one that was stopped must not hold the lock. The others wait longer than
 * that for the lock.
 */
const IDLE_MS = 6_000;
const LOCK_WAIT_MS = 9_000;
/** Milliseconds for which a gateway asks whether a commit succeeded. */
const SETTLE_MS = 10_000;
const SETTLE_PAUSE_MS = 100;

const BEGIN = `begin isolation level read committed; select pg_advisory_xact_lock(${WRITE_LOCK}), pg_current_xact_id()::text as xid`;

export class PostgresWriter implements CommitConnection {
  readonly isStrict = true;
  readonly toStoreError = toStoreError;
  isSettling = false;
  private client: Client | undefined;
  /** The id of the open transaction. */
  private xid: string | undefined;
  private hasSavepoint = false;
  private isClosed = false;

  /** `lockWaitMs`: a transaction that waits longer for transactions of other gateways is refused. */
  constructor(
    private readonly url: string,
    private readonly lockWaitMs = LOCK_WAIT_MS,
  ) {}

  get isInTransaction(): boolean {
    return this.xid !== undefined;
  }

  toWorkError(thrown: unknown): unknown {
    return thrown;
  }

  /** Opens the connection unless it is open. Throws errors of Postgres as they are. */
  async connect(): Promise<Client> {
    if (this.isClosed) throw new AppError('store_unavailable', { message: 'The store is closed.', messageZh: '存储已关闭。' });
    if (this.client) return this.client;
    const timeouts = { lock_timeout: this.lockWaitMs, idle_in_transaction_session_timeout: IDLE_MS };
    const client = new Client(connectionConfig(this.url, timeouts));
    client.on('error', () => this.drop(client));
    client.on('end', () => this.drop(client));
    try {
      await client.connect();
    } catch (thrown) {
      client.end().catch(() => {});
      throw thrown;
    }
    this.client = client;
    return client;
  }

  async begin(): Promise<void> {
    await this.connect();
    this.hasSavepoint = false;
    try {
      const results = (await this.send(BEGIN)) as unknown as QueryResult<{ xid: string }>[];
      this.xid = results[1]?.rows[0]?.xid;
    } catch (thrown) {
      // The transaction has begun without the lock, so roll it back; otherwise every later transaction would be refused.
      await this.send('rollback').catch(() => {});
      throw thrown;
    }
  }

  async commit(): Promise<void> {
    const { xid } = this;
    try {
      const { command } = await this.send('commit');
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
    } catch (thrown) {
      if (xid === undefined || !isConnectionLost(thrown) || !(await this.settle(xid))) throw thrown;
    } finally {
      this.xid = undefined;
    }
  }

  async rollback(): Promise<void> {
    try {
      await this.send('rollback');
    } finally {
      this.xid = undefined;
    }
  }

  /** Releases the savepoint of the last work in the same round trip. */
  async savepoint(): Promise<void> {
    await this.send(this.hasSavepoint ? 'release savepoint work; savepoint work' : 'savepoint work');
    this.hasSavepoint = true;
  }

  release(): void {
    // Ignored: the next savepoint or the commit releases the savepoint.
  }

  async rollbackToSavepoint(): Promise<void> {
    await this.send('rollback to savepoint work');
  }

  async rows<R>(query: CompiledQuery<R>): Promise<R[]> {
    return (await this.run(query)).rows as R[];
  }

  async changes(query: CompiledQuery): Promise<number> {
    return (await this.run(query)).rowCount ?? 0;
  }

  /** Ends the connection; a commit in progress must be over. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.client?.end().catch(() => {});
  }

  private run(query: CompiledQuery): Promise<QueryResult> {
    if (!this.client || !this.isInTransaction) return Promise.reject(new AppError('store_unavailable'));
    return this.guard(this.client, this.client.query(toQueryConfig(query)));
  }

  private send(statement: string): Promise<QueryResult> {
    if (!this.client) return Promise.reject(new AppError('store_unavailable'));
    return this.guard(this.client, this.client.query(statement));
  }

  private async guard<T>(client: Client, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (thrown) {
      if (isConnectionLost(thrown)) this.drop(client);
      throw thrown;
    }
  }

  /** The server rolls back what the connection had not committed. */
  private drop(client: Client): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.xid = undefined;
    client.end().catch(() => {});
  }

  /** Resolves whether the server committed the transaction. Rejects when the server does not say so in time. */
  private async settle(xid: string): Promise<boolean> {
    this.isSettling = true;
    try {
      for (const end = performance.now() + SETTLE_MS; performance.now() < end; await delay(SETTLE_PAUSE_MS)) {
        const status = await this.statusOf(xid).catch(() => 'unreachable');
        if (status === 'committed') return true;
        if (status === 'aborted') return false;
      }
    } finally {
      this.isSettling = false;
    }
    throw new AppError('store_unavailable', {
      message: 'The database did not say whether it stored the change: look before you repeat it.',
      messageZh: '数据库没有说明更改是否已保存：重复之前请先查看。',
    });
  }

  private async statusOf(xid: string): Promise<string | undefined> {
    await this.connect();
    const { rows } = await this.send(`select pg_xact_status('${BigInt(xid)}'::xid8) as status`);
    return (rows as { status: string }[])[0]?.status;
  }
}
