/** One connection to a SQLite database, with its prepared statements. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import type { CompiledQuery, SqliteDatabase, SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { CommitConnection } from '../sql/base/group_commit';
import { isBusy, toStoreError, toWorkError } from './sqlite_errors';

/** Prepared statements to keep. About 60 queries are fixed; the others are filters of lists. */
const MAX_STATEMENTS = 256;
/** Longest time that one try of `begin` holds the event loop. Most commits of another process take less. */
const MAX_HOLD_MS = 20;
/** Pause between two tries, in which the event loop goes on. The actual pause is random, so that two processes do not stay in step. */
const PAUSE_MS = 20;

export interface ConnectionOptions {
  /** Milliseconds that a statement waits for a lock of another connection; the wait holds the event loop. */
  busyTimeoutMs: number;
}

export class SqliteConnection implements CommitConnection, SqliteDatabase {
  readonly toStoreError = toStoreError;
  readonly toWorkError = toWorkError;
  private readonly statements = new LRUCache<string, PreparedStatement>({ max: MAX_STATEMENTS });
  private lockTimeoutMs = 0;

  private constructor(private readonly database: DatabaseSync) {}

  /** Opens the file and sets the pragmas of every connection. Throws errors of SQLite as they are. */
  static open(path: string, options: ConnectionOptions): SqliteConnection {
    const connection = new SqliteConnection(new DatabaseSync(path));
    try {
      connection.setBusyTimeout(options.busyTimeoutMs);
      connection.execute('pragma journal_mode = wal');
      connection.execute('pragma synchronous = full');
      connection.execute('pragma foreign_keys = on');
      // Overwrite deleted content: pages that become free would keep the texts.
      connection.execute('pragma secure_delete = on');
      connection.execute('pragma temp_store = memory');
      connection.execute('pragma cache_size = -8000');
      connection.execute('pragma journal_size_limit = 67108864');
      return connection;
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
  }

  /** Opens the file to read it alone. Throws errors of SQLite as they are. */
  static openToRead(path: string, { busyTimeoutMs }: ConnectionOptions): SqliteConnection {
    return new SqliteConnection(new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs }));
  }

  setBusyTimeout(milliseconds: number): void {
    this.execute(`pragma busy_timeout = ${Math.trunc(milliseconds)}`);
  }

  /** Sets how many milliseconds `begin` waits for the write lock. It tries again and again, and holds the event loop for 20 ms at most each time. */
  setLockTimeout(milliseconds: number): void {
    this.lockTimeoutMs = milliseconds;
    this.setBusyTimeout(Math.min(milliseconds, MAX_HOLD_MS));
  }

  /** Call it after the migrations. Until the old indexes are gone, the connection may delete rows of FTS5's own tables: see search_upgrade.ts. */
  allowIndexRemoval(): void {
    const hasOld = this.database.prepare("select 1 from settings where key = 'search_upgrade'").get() !== undefined;
    if (hasOld) this.database.enableDefensive(false);
  }

  get isInTransaction(): boolean {
    return this.database.isOpen && this.database.isTransaction;
  }

  /** Runs a statement without values or result. Throws errors of SQLite as they are. */
  execute(statement: string): void {
    this.database.exec(statement);
  }

  /** Like `execute`, but prepares the statement and keeps it. */
  private step(statement: string): void {
    this.prepare(statement).run([]);
  }

  /** Takes the write lock: before it returns when the lock is free, otherwise later. Fails when another process keeps the lock too long. */
  begin(): void | Promise<void> {
    const started = performance.now();
    try {
      this.step('begin immediate');
    } catch (thrown) {
      if (!isBusy(thrown)) throw thrown;
      return this.beginLater(thrown, started + this.lockTimeoutMs);
    }
  }

  private async beginLater(refused: unknown, deadline: number): Promise<void> {
    while (performance.now() < deadline) {
      await setTimeout(PAUSE_MS * (0.5 + Math.random()));
      try {
        return this.step('begin immediate');
      } catch (thrown) {
        if (!isBusy(thrown)) throw thrown;
      }
    }
    throw refused;
  }

  commit(): void {
    this.step('commit');
  }

  rollback(): void {
    this.execute('rollback');
  }

  savepoint(): void {
    this.step('savepoint work');
  }

  release(): void {
    this.step('release work');
  }

  rollbackToSavepoint(): void {
    this.execute('rollback to work; release work');
  }

  /** Executes a query and returns its rows. Throws AppErrors of the store. */
  rows<R>(query: CompiledQuery<R>): R[] {
    return this.translateErrors(() => this.prepare(query.sql).all(query.parameters)) as R[];
  }

  /** Executes a statement and returns the number of changed rows. Throws as `rows` does. */
  changes(query: CompiledQuery): number {
    return Number(this.translateErrors(() => this.prepare(query.sql).run(query.parameters)).changes);
  }

  prepare(statement: string): PreparedStatement {
    const known = this.statements.get(statement);
    if (known) return known;
    const prepared = new PreparedStatement(this.database.prepare(statement));
    this.statements.set(statement, prepared);
    return prepared;
  }

  close(): void {
    this.statements.clear();
    if (this.database.isOpen) this.database.close();
  }

  private translateErrors<T>(run: () => T): T {
    try {
      return run();
    } catch (thrown) {
      throw toStoreError(thrown);
    }
  }
}

/** A statement in the form that Kysely's dialect expects. */
class PreparedStatement implements SqliteStatement {
  readonly reader: boolean;

  constructor(private readonly statement: StatementSync) {
    this.reader = statement.columns().length > 0;
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.statement.all(...(parameters as SQLInputValue[]));
  }

  run(parameters: readonly unknown[]) {
    return this.statement.run(...(parameters as SQLInputValue[]));
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.statement.iterate(...(parameters as SQLInputValue[]));
  }
}
