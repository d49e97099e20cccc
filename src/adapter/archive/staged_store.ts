/**
 * A store that is loaded beside the place of the gateway's store, and takes that place when it is complete: until then the gateway's store is as it was,
 * and an interrupted load continues where it stopped.
 */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { StoreReader } from '../../port/store/store';
import type { Runner } from '../sql/base/query_template';
import type { Schema } from '../sql/base/schema';
import { migrateTo, migrateToLatest } from '../sql/migrations/migrate';
import { createOwners } from '../sql/owners';
import type { StoreParts } from '../sql/store_part';
import { ArchiveError, type ArchiveHeader, type TableLayout } from './archive_form';
import { COMPLETE, createProgress, noteProgress, readProgress, SOURCE } from './placed_load';

/** The database beside the place, as each store has it. */
export interface Staging {
  readonly db: Kysely<Schema>;
  readonly runner: Runner;
  /** Runs the work in a transaction. */
  transact(work: () => Promise<void>): Promise<void>;
  /** Inserts rows: JSON objects, one a line. */
  insert(table: TableLayout, lines: Buffer): Promise<void>;
  /** Lets the next rows get numbers behind those of the inserted rows. */
  resetNumbers(): Promise<void>;
  /** Deletes everything that a load has stored. */
  clear(): Promise<void>;
  /** Puts the store in its place, all at once, and closes it. */
  takePlace(): Promise<void>;
  close(): Promise<void>;
}

export interface FinalChecks {
  /** Looks at the loaded store. */
  loaded: StoreCheck;
  /** Rejects when the place of the store is no longer free: a load may take hours. */
  place(): Promise<void>;
}

/** Checks a loaded store. Resolves with what is wrong; undefined when nothing is. */
export type StoreCheck = (read: StoreReader) => Promise<string | undefined>;

export class StagedStore {
  /** Paths of the parts that the source has. */
  private readonly found = new Set<string>();

  private constructor(
    private readonly staging: Staging,
    private readonly loaded: ReadonlyMap<string, string>,
    private readonly parts: StoreParts,
  ) {}

  /** Continues the load of the same source, or begins anew. `id`: names the source and its content. */
  static async open(
    staging: Staging,
    { header, id, parts }: { header: ArchiveHeader; id: string; parts: StoreParts },
  ): Promise<StagedStore> {
    const loaded = await readProgress(staging.db);
    if (loaded.get(SOURCE) === id) return new StagedStore(staging, loaded, parts);
    await staging.clear();
    await staging.transact(async () => {
      await migrateTo(staging.db, parts, header.migrations);
      // A migration may have stored rows that the source has too.
      for (const { name } of [...header.tables].reverse()) await sql`delete from ${sql.table(name)}`.execute(staging.db);
      await createProgress(staging.db);
      await noteProgress(staging.db, SOURCE, id);
    });
    return new StagedStore(staging, new Map(), parts);
  }

  /** Loads a part of the rows of a table, unless it is loaded. */
  async load(table: TableLayout, path: string, content: Buffer): Promise<void> {
    this.found.add(path);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const known = this.loaded.get(path);
    if (known === sha256) return;
    if (known !== undefined || this.loaded.has(COMPLETE))
      return this.giveUp(`The source has changed since the load was interrupted (${path}).`);
    await this.staging.transact(async () => {
      await this.staging.insert(table, content);
      await noteProgress(this.staging.db, path, sha256);
    });
  }

  /**
   * Compares the number of rows, brings the tables to this version, makes the indexes, checks the whole, and puts the store in its place, with the note
   * of the load: see placed_load.ts.
   */
  async finish(rows: Readonly<Record<string, number>>, check: FinalChecks): Promise<void> {
    const { staging, parts, loaded, found } = this;
    const lost = [...loaded.keys()].find(path => path !== SOURCE && path !== COMPLETE && !found.has(path));
    if (lost !== undefined) await this.giveUp(`The source has changed since the load was interrupted (${lost}).`);
    if (!loaded.has(COMPLETE)) await this.complete(rows);
    const problem = await check.loaded(createOwners(staging.db, parts)(staging.runner));
    if (problem !== undefined) throw new ArchiveError(problem);
    await check.place();
    await staging.takePlace();
  }

  private async complete(rows: Readonly<Record<string, number>>): Promise<void> {
    const { staging, parts } = this;
    for (const [table, expected] of Object.entries(rows)) {
      const count = await countRows(staging, table);
      if (count !== expected) await this.giveUp(`The table ${table} should have ${expected} rows and has ${count}.`);
    }
    await staging.transact(async () => {
      await staging.resetNumbers();
      await migrateToLatest(staging.db, parts);
      for (const { fillIndexes } of Object.values(parts)) await fillIndexes?.(staging.db, staging.runner);
      await noteProgress(staging.db, COMPLETE, '');
    });
  }

  /** Deletes what is loaded, so that the next load begins anew. */
  private async giveUp(reason: string): Promise<never> {
    await this.staging.clear();
    throw new ArchiveError(`${reason} Run the command again: it begins anew.`);
  }

  close(): Promise<void> {
    return this.staging.close();
  }
}

async function countRows({ db }: Staging, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count);
}
