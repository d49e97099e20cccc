/**
 * One transaction on a connection of its own. Statements wait until the work needs the result of one, or ends; then all of them go to the server in one
 * piece: the beginning, the locks and the first reads share a round trip, and so do the writes and the commit.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import type { PoolClient } from 'pg';
import { AppError } from '../../errors';
import type { Runner } from '../sql/base/query_template';
import { isConnectionLost, isReadOnly, toStoreError } from './postgres_errors';
import { type Statement, toStatement } from './postgres_values';
import type { PostgresWriter } from './postgres_writer';
import { type Answer, type BatchResult, runBatch } from './statement_batch';
import { beginStatements } from './transaction_locks';

/** A transaction whose locks others hold for so long is refused. Longer than the server waits for a gateway that was stopped. */
const LOCK_WAIT_MS = 9_000;
/** Milliseconds between two tries to get locks, at least and at most; the pause doubles. */
const LOCK_PAUSE_MS = [2, 50] as const;
/** Statements that wait to be sent, at most. */
const MAX_WAITING = 64;

const COMMIT: Statement = { name: 'commit', text: 'commit', values: [] };
const ROLLBACK: Statement = { name: 'rollback', text: 'rollback', values: [] };

/** A statement, and what waits for its answer. */
interface Waiting {
  statement: Statement;
  resolve?: (answer: Answer) => void;
  reject?: (thrown: unknown) => void;
}

export class PostgresTransaction implements Runner {
  /** The id of the transaction; undefined until it holds its locks. */
  private xid: string | undefined;
  private waiting: Waiting[] = [];
  private isScheduled = false;
  private isSending = false;
  /** Resolves when everything that was to be sent is answered. Never rejects. */
  private sent: Promise<void> = Promise.resolve();
  private failure: AppError | undefined;
  private hasEnded = false;
  /** True while the server may have a transaction open on the connection. */
  private isOpen = false;
  /** False while the transaction waits for a lock, and after its end: another transaction may have the connection then. */
  private hasClient = true;

  constructor(
    private readonly writer: PostgresWriter,
    private client: PoolClient,
    private readonly names: readonly string[],
  ) {}

  async rows<R>(query: CompiledQuery<R>): Promise<R[]> {
    return (await this.execute(query)).rows as R[];
  }

  async changes(query: CompiledQuery): Promise<number> {
    return (await this.execute(query)).count;
  }

  /** Resolves before the answer. A statement that fails fails the transaction. */
  async write(query: CompiledQuery): Promise<void> {
    this.assertOpen();
    if (this.waiting.push({ statement: toStatement(query) }) >= MAX_WAITING) await this.send();
  }

  /** Commits what the work wrote. Rejects with the error of the first statement that failed, also when the work caught it. */
  async commit(): Promise<void> {
    this.hasEnded = true;
    // Without the id of the transaction nobody could find out what became of a commit whose answer is lost.
    if (this.isSending || this.xid === undefined) await this.send();
    if (this.failure) throw this.failure;
    const statements = [...this.waiting.splice(0).map(({ statement }) => statement), COMMIT];
    const { answers, error } = await runBatch(this.client, statements);
    if (!error && answers.at(-1)?.tag === 'COMMIT') {
      this.isOpen = false;
      return;
    }
    const thrown = error ?? new Error('The transaction was rolled back.');
    if (!isConnectionLost(thrown)) throw this.fail(thrown);
    // All connections may have broken at once, and the question needs one.
    this.giveBack({ isClean: false });
    if (this.xid === undefined || !(await this.writer.settle(this.xid, this.client))) throw toStoreError(thrown);
  }

  /** Ends the transaction and gives the connection back. Never rejects. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await this.sent;
    this.rejectWaiting(this.waiting.splice(0), this.failure ?? wasEnded());
    if (!this.hasClient) return;
    const isBroken = this.failure !== undefined && isConnectionLost(this.failure.cause);
    this.giveBack({ isClean: !isBroken && (!this.isOpen || (await this.rollBack())) });
  }

  private giveBack({ isClean }: { isClean: boolean }): void {
    if (!this.hasClient) return;
    this.hasClient = false;
    this.client.release(!isClean);
  }

  /** Resolves whether the server has no transaction open any more. */
  private async rollBack(): Promise<boolean> {
    const { error } = await runBatch(this.client, [ROLLBACK]);
    this.isOpen = false;
    return error === undefined;
  }

  private execute(query: CompiledQuery): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.assertOpen();
      this.waiting.push({ statement: toStatement(query), resolve, reject });
      this.scheduleSending();
    });
  }

  private assertOpen(): void {
    if (this.failure) throw this.failure;
    if (this.hasEnded) throw wasEnded();
  }

  /** Sends once the work can make no further statement without an answer: its statements then share the round trip. */
  private scheduleSending(): void {
    if (this.isScheduled || this.isSending) return;
    this.isScheduled = true;
    queueMicrotask(() =>
      process.nextTick(() => {
        this.isScheduled = false;
        if (this.waiting.length > 0) void this.send();
      }),
    );
  }

  private send(): Promise<void> {
    if (this.isSending) return this.sent;
    this.isSending = true;
    this.sent = this.sendWaiting();
    return this.sent;
  }

  private async sendWaiting(): Promise<void> {
    do await this.sendPiece(this.waiting.splice(0));
    while (this.waiting.length > 0);
    this.isSending = false;
  }

  /** Sends the statements, with the beginning of the transaction when it has not begun, and passes the answers on. Never rejects. */
  private async sendPiece(piece: readonly Waiting[]): Promise<void> {
    const statements = piece.map(({ statement }) => statement);
    let result: BatchResult;
    try {
      if (this.failure) throw this.failure;
      result = this.xid === undefined ? await this.beginWith(statements) : await runBatch(this.client, statements);
    } catch (thrown) {
      return this.rejectWaiting(piece, this.fail(thrown));
    }
    const { answers, error } = result;
    for (const [i, answer] of answers.entries()) piece[i]?.resolve?.(answer);
    if (error !== undefined) this.rejectWaiting(piece.slice(answers.length), this.fail(error));
  }

  /** Begins the transaction, and sends the statements before it is known whether the locks are free, and again when they were not. */
  private async beginWith(statements: readonly Statement[]): Promise<BatchResult> {
    const beginning = beginStatements(this.names);
    let [pauseMs, longestMs] = LOCK_PAUSE_MS as readonly [number, number];
    for (const refusedAt = performance.now() + LOCK_WAIT_MS; ; pauseMs = Math.min(longestMs, pauseMs * 2)) {
      this.isOpen = true;
      const { answers, error } = await runBatch(this.client, [...beginning, ...statements]);
      const begun = answers[1]?.rows[0] as { xid: string; locked: boolean } | undefined;
      if (!begun) throw error;
      if (begun.locked) {
        this.xid = begun.xid;
        return { answers: answers.slice(beginning.length), error };
      }
      const isClean = await this.rollBack();
      if (performance.now() > refusedAt)
        throw new AppError('store_unavailable', { cause: new Error(`Others hold ${this.names.join(', ')}.`) });
      this.giveBack({ isClean });
      await delay(pauseMs * (0.5 + Math.random()));
      this.client = await this.writer.take();
      this.hasClient = true;
    }
  }

  private rejectWaiting(piece: readonly Waiting[], thrown: unknown): void {
    for (const { reject } of piece) reject?.(thrown);
  }

  /** Later statements fail because of the first failure, which says more. */
  private fail(thrown: unknown): AppError {
    if (isReadOnly(thrown)) this.writer.leaveServer();
    this.failure ??= toStoreError(thrown);
    return this.failure;
  }
}

const wasEnded = (): AppError =>
  new AppError('internal', { message: 'A transaction was used after its end.', messageZh: '事务结束后又被使用。' });
