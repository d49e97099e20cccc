/**
 * One transaction on a connection of its own. Statements are sent as soon as the work makes them, and only those whose result the work needs are waited
 * for: the beginning, the locks and the first reads share a round trip, and so do the writes and the commit.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import type { PoolClient, QueryResult } from 'pg';
import { AppError } from '../../errors';
import type { Runner } from '../sql/base/query_template';
import { isConnectionLost, toStoreError } from './postgres_errors';
import { toQueryConfig } from './postgres_values';
import type { PostgresWriter } from './postgres_writer';
import { beginStatement } from './transaction_locks';

/** A transaction whose locks others hold for so long is refused. Longer than the server waits for a gateway that was stopped. */
const LOCK_WAIT_MS = 9_000;
/** Milliseconds between two tries to get locks, at least and at most; the pause doubles. */
const LOCK_PAUSE_MS = [2, 50] as const;
/** Statements without an answer at most: more would fill the buffers of a slow network. */
const MAX_UNANSWERED = 64;

type Begun = QueryResult<{ xid: string; locked: boolean }>;

export class PostgresTransaction implements Runner {
  private xid: string | undefined;
  private isLocked = false;
  /** True when another gateway held a lock at the first try: what was sent with the first try is sent again. */
  private wasRefused = false;
  /** Resolves once the transaction holds its locks. */
  private readonly locked: Promise<void>;
  private unanswered: Promise<void>[] = [];
  private failure: AppError | undefined;
  private hasEnded = false;
  /** False while the transaction waits for a lock, and after its end: another transaction may have the connection then. */
  private hasClient = true;

  constructor(
    private readonly writer: PostgresWriter,
    private client: PoolClient,
    private readonly names: readonly string[],
  ) {
    this.locked = this.begin();
    // The first reaction, so that no later statement overtakes one that waits for the lock.
    this.locked.then(
      () => {
        this.isLocked = true;
      },
      () => {},
    );
  }

  async rows<R>(query: CompiledQuery<R>): Promise<R[]> {
    return (await this.execute(query)).rows as R[];
  }

  async changes(query: CompiledQuery): Promise<number> {
    return (await this.execute(query)).rowCount ?? 0;
  }

  /** Resolves before the answer. A statement that fails fails the transaction. */
  async write(query: CompiledQuery): Promise<void> {
    this.assertOpen();
    const answer = this.execute(query).then(
      () => {},
      () => {},
    );
    if (this.unanswered.push(answer) > MAX_UNANSWERED) await this.unanswered.shift();
  }

  /** Commits what the work wrote. Rejects with the error of the first statement that failed, also when the work caught it. */
  async commit(): Promise<void> {
    this.hasEnded = true;
    // Without the id of the transaction nobody could find out what became of a commit whose answer is lost.
    await this.locked.catch(thrown => this.fail(thrown));
    if (this.failure) throw this.failure;
    const committed = this.client.query('commit');
    committed.catch(() => {});
    await Promise.all(this.unanswered);
    try {
      const { command } = await committed;
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
    } catch (thrown) {
      const first = this.firstFailure();
      if (first && !isConnectionLost(first.cause)) throw first;
      // All connections may have broken at once, and the question needs one.
      this.giveBack({ isClean: false });
      if (this.xid === undefined || !isConnectionLost(thrown) || !(await this.writer.settle(this.xid))) throw toStoreError(thrown);
    }
  }

  /** Ends the transaction and gives the connection back. Never rejects. */
  async end({ isCommitted }: { isCommitted: boolean }): Promise<void> {
    this.hasEnded = true;
    await this.locked.catch(thrown => this.fail(thrown));
    if (!this.hasClient) return;
    const isBroken = this.failure !== undefined && isConnectionLost(this.failure.cause);
    const isClean =
      isCommitted ||
      (!isBroken &&
        (await this.client.query('rollback').then(
          () => true,
          () => false,
        )));
    this.giveBack({ isClean });
  }

  private giveBack({ isClean }: { isClean: boolean }): void {
    if (!this.hasClient) return;
    this.hasClient = false;
    this.client.release(!isClean);
  }

  private async begin(): Promise<void> {
    const statement = beginStatement(this.names);
    let [pauseMs, longestMs] = LOCK_PAUSE_MS as readonly [number, number];
    for (const refusedAt = performance.now() + LOCK_WAIT_MS; ; pauseMs = Math.min(longestMs, pauseMs * 2)) {
      const begun = ((await this.client.query(statement)) as unknown as Begun[]).at(-1)?.rows[0];
      this.xid = begun?.xid;
      if (begun?.locked) break;
      this.wasRefused = true;
      await this.client.query('rollback');
      if (performance.now() > refusedAt)
        throw new AppError('store_unavailable', { cause: new Error(`Others hold ${this.names.join(', ')}.`) });
      this.giveBack({ isClean: true });
      await delay(pauseMs * (0.5 + Math.random()));
      this.client = await this.writer.take();
      this.hasClient = true;
    }
  }

  private async execute(query: CompiledQuery): Promise<QueryResult> {
    this.assertOpen();
    try {
      return await this.send(query);
    } catch (thrown) {
      throw this.fail(thrown);
    }
  }

  private assertOpen(): void {
    if (this.failure) throw this.failure;
    if (this.hasEnded)
      throw new AppError('internal', { message: 'A transaction was used after its end.', messageZh: '事务结束后又被使用。' });
  }

  /** Sends a statement before it is known whether the locks are free, and again when they were not. */
  private send(query: CompiledQuery): Promise<QueryResult> {
    const config = toQueryConfig(query);
    if (this.isLocked) return this.client.query(config);
    const early = this.wasRefused ? undefined : this.client.query(config);
    early?.catch(() => {});
    return this.locked.then(() => (this.wasRefused || !early ? this.client.query(config) : early));
  }

  private firstFailure(): AppError | undefined {
    return this.failure;
  }

  /** Later statements fail because of the first failure, which says more. */
  private fail(thrown: unknown): AppError {
    this.failure ??= toStoreError(thrown);
    return this.failure;
  }
}
