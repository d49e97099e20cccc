/**
 * Group commit: runs waiting works in one transaction, so that they share one sync to disk. The next group gathers while one commits. In a group of
 * several works, each work runs in a savepoint of its own. A work that is alone in its group needs no savepoint, because the rollback of the
 * transaction undoes the work.
 */
import type { CompiledQuery } from 'kysely';
import { AppError } from '../../../errors';
import type { Runner } from './query_template';

/** The one connection that writes. A database in this process may execute before it returns, and then returns nothing to wait for. */
export interface CommitConnection {
  rows<R>(query: CompiledQuery<R>): R[] | Promise<R[]>;
  /** Returns the number of rows that the statement changed. */
  changes(query: CompiledQuery): number | Promise<number>;
  readonly isInTransaction: boolean;
  begin(): void | Promise<void>;
  commit(): void | Promise<void>;
  rollback(): void | Promise<void>;
  savepoint(): void | Promise<void>;
  release(): void | Promise<void>;
  rollbackToSavepoint(): void | Promise<void>;
  /** Converts an error of a statement to an error of the store. */
  toStoreError(thrown: unknown): AppError;
  /** Converts an error of the database to an error of the store; returns an error that the work itself threw unchanged. */
  toWorkError(thrown: unknown): unknown;
}

/** Measures of one group. */
export interface CommitReport {
  /** Number of works in the group; `rejected` counts the works that were rolled back. */
  works: number;
  rejected: number;
  /** Time from `begin` to the durable commit, the wait for the lock included. */
  durationMs: number;
}

export interface GroupCommitOptions {
  /** Milliseconds that the first work waits for others; 0: until the next turn of the event loop. */
  windowMs: number;
  /** Timeout of one work, in milliseconds. A work that exceeds it waits for something other than the store and is rolled back. */
  workTimeoutMs: number;
  onCommit?: (report: CommitReport) => void;
}

type Work<T> = (runner: Runner) => Promise<T>;

export interface SubmitOptions {
  /** The work may wait up to 100 ms for a commit that other works need. */
  isPatient?: boolean;
}

interface Entry {
  work: Work<unknown>;
  isPatient: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Outcome of a work before its group is committed. */
type Outcome = { entry: Entry; ok: true; value: unknown } | { entry: Entry; ok: false; error: unknown };

/** Works in one group at most: a failing commit rejects all of them. */
const MAX_GROUP = 256;
/** Milliseconds after which a group begins no further work: works in this process block the event loop until their commit. */
const GROUP_MS = 8;
/** Milliseconds that a patient work waits for a group at most. */
const PATIENCE_MS = 100;

export class GroupCommitter {
  private queue: Entry[] = [];
  private isScheduled = false;
  private patience: NodeJS.Timeout | undefined;
  private isClosed = false;
  private onIdle: (() => void)[] = [];

  constructor(
    private readonly connection: CommitConnection,
    private readonly options: GroupCommitOptions,
  ) {}

  /** Resolves once the work is durable. Rejects with the work's own error, or with `store_unavailable` when the commit of its group failed. */
  submit<T>(work: Work<T>, { isPatient = false }: SubmitOptions = {}): Promise<T> {
    if (this.isClosed)
      return Promise.reject(new AppError('store_unavailable', { message: 'The store is closed.', messageZh: '存储已关闭。' }));
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ work, isPatient, resolve: value => resolve(value as T), reject });
      if (isPatient) this.scheduleLater();
      else this.schedule();
    });
  }

  /** Rejects further work; resolves when all submitted work has settled. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.queue.length > 0) this.schedule();
    if (this.isScheduled) await new Promise<void>(resolve => this.onIdle.push(resolve));
  }

  private scheduleLater(): void {
    this.patience ??= setTimeout(() => {
      this.patience = undefined;
      if (this.queue.length > 0) this.schedule();
    }, PATIENCE_MS);
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    clearTimeout(this.patience);
    this.patience = undefined;
    const start = () => void this.commitAll();
    if (this.options.windowMs > 0) setTimeout(start, this.options.windowMs);
    else setImmediate(start);
  }

  private async commitAll(): Promise<void> {
    await this.commitGroup(this.queue.splice(0, MAX_GROUP));
    this.isScheduled = false;
    if (this.queue.some(({ isPatient }) => !isPatient) || (this.isClosed && this.queue.length > 0)) this.schedule();
    else if (this.queue.length > 0) this.scheduleLater();
    else for (const resolve of this.onIdle.splice(0)) resolve();
  }

  /** Commits one group. Never rejects. */
  private async commitGroup(entries: readonly Entry[]): Promise<void> {
    const started = performance.now();
    let outcomes: Outcome[];
    try {
      outcomes = await this.runGroup(entries);
      this.queue.unshift(...entries.slice(outcomes.length));
    } catch (thrown) {
      await this.rollBack();
      const isTold = thrown instanceof AppError && thrown.code === 'store_unavailable';
      const error = isTold ? thrown : new AppError('store_unavailable', { cause: thrown });
      outcomes = entries.map(entry => ({ entry, ok: false, error }));
    }
    const rejected = outcomes.filter(outcome => !outcome.ok).length;
    this.options.onCommit?.({ works: outcomes.length, rejected, durationMs: performance.now() - started });
    for (const outcome of outcomes) {
      if (outcome.ok) outcome.entry.resolve(outcome.value);
      else outcome.entry.reject(outcome.error);
    }
  }

  /** Runs works for GROUP_MS, at least one, and commits them; returns one outcome for each. Throws when the whole group was rolled back. */
  private async runGroup(entries: readonly Entry[]): Promise<Outcome[]> {
    await this.rollBack();
    await this.connection.begin();
    const deadline = performance.now() + GROUP_MS;
    const outcomes: Outcome[] = [];
    for (const entry of entries) {
      const outcome = await (entries.length === 1 ? this.runWork(entry) : this.runInSavepoint(entry));
      outcomes.push(outcome);
      // Some errors of the medium end the whole transaction with its earlier works.
      if (!this.connection.isInTransaction) throw outcome.ok ? new Error('The transaction ended early.') : outcome.error;
      if (performance.now() > deadline) break;
    }
    if (outcomes.some(outcome => outcome.ok)) await this.connection.commit();
    else await this.rollBack();
    return outcomes;
  }

  /** Creates no promise for a step that has finished when its function returns: every work runs through here. */
  private async runInSavepoint(entry: Entry): Promise<Outcome> {
    const opened = this.connection.savepoint();
    if (opened) await opened;
    const outcome = await this.runWork(entry);
    if (!outcome.ok && !this.connection.isInTransaction) return outcome;
    const closed = outcome.ok ? this.connection.release() : this.connection.rollbackToSavepoint();
    if (closed) await closed;
    return outcome;
  }

  /** Never rejects. Creates only two promises a work, because a turn submits several works. */
  private runWork(entry: Entry): Promise<Outcome> {
    const runner = new WorkRunner(this.connection);
    return new Promise(resolve => {
      const end = (outcome: Outcome) => {
        clearTimeout(timer);
        runner.hasEnded = true;
        resolve(outcome);
      };
      const fail = (error: unknown) => end({ entry, ok: false, error: this.connection.toWorkError(error) });
      const onLate = () =>
        fail(
          new AppError('internal', {
            message: 'A transaction waited for something other than the store.',
            messageZh: '事务等待了存储以外的操作。',
          }),
        );
      const timer = setTimeout(onLate, this.options.workTimeoutMs);
      try {
        entry.work(runner).then(value => (runner.failure ? fail(runner.failure) : end({ entry, ok: true, value })), fail);
      } catch (thrown) {
        fail(thrown);
      }
    });
  }

  /** Ends an open transaction, so that the next group can begin. */
  private async rollBack(): Promise<void> {
    try {
      if (this.connection.isInTransaction) await this.connection.rollback();
    } catch {
      // Ignored: the next `begin` reports the error.
    }
  }
}

/** The connection as one work may use it: only until the work ends or the medium fails. */
class WorkRunner implements Runner {
  hasEnded = false;
  /** The error of the medium. It ends the work even when the work caught it, because the work's writes may be partly lost. */
  failure: AppError | undefined;

  constructor(private readonly connection: CommitConnection) {}

  rows<R>(query: CompiledQuery<R>): Promise<R[]> {
    return this.guard(() => this.connection.rows(query));
  }

  changes(query: CompiledQuery): Promise<number> {
    return this.guard(() => this.connection.changes(query));
  }

  write(query: CompiledQuery): Promise<void> {
    // Not awaited, which would cost a promise for each statement.
    return this.guard<unknown>(() => this.connection.changes(query)) as Promise<void>;
  }

  private async guard<T>(run: () => T | Promise<T>): Promise<T> {
    if (this.hasEnded)
      throw new AppError('internal', { message: 'A transaction was used after its end.', messageZh: '事务结束后又被使用。' });
    if (this.failure) throw this.failure;
    try {
      const result = run();
      // Waits only for a result that is a promise, because a turn has many statements.
      return result instanceof Promise ? await result : result;
    } catch (thrown) {
      const error = this.connection.toStoreError(thrown);
      if (error.code === 'store_unavailable') this.failure ??= error;
      throw error;
    }
  }
}
