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

/** The database beside the place, as each store has it. */
export interface Staging {
  readonly db: Kysely<Schema>;
  readonly runner: Runner;
  /** The schema of the tables in Postgres. */
  readonly schema?: string;
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

/** Table of the parts that are loaded: path -> hash. The row with the path '' names the source. */
const PROGRESS = 'restore_progress';

export interface FinalChecks {
  /** Looks at the loaded store. */
  loaded: StoreCheck;
  /** Rejects when the place of the store is no longer free: a load may take hours. */
  place(): Promise<void>;
}

/** Checks a loaded store. Resolves with what is wrong; undefined when nothing is. */
export type StoreCheck = (read: StoreReader) => Promise<string | undefined>;

export class StagedStore {
  private constructor(
    private readonly staging: Staging,
    private readonly loaded: Map<string, string>,
    private readonly parts: StoreParts,
  ) {}

  /** Continues the load of the same source, or begins anew. `id`: names the source and its content. */
  static async open(
    staging: Staging,
    { header, id, parts }: { header: ArchiveHeader; id: string; parts: StoreParts },
  ): Promise<StagedStore> {
    const loaded = await readProgress(staging);
    if (loaded.get('') === id) return new StagedStore(staging, loaded, parts);
    await staging.clear();
    await staging.transact(async () => {
      await migrateTo(staging.db, parts, header.migrations, staging.schema);
      // A migration may have stored rows that the source has too.
      for (const { name } of [...header.tables].reverse()) await sql`delete from ${sql.table(name)}`.execute(staging.db);
      await sql`create table ${sql.table(PROGRESS)} (path varchar(500) primary key, sha256 varchar(64) not null)`.execute(staging.db);
      await note(staging, '', id);
    });
    return new StagedStore(staging, new Map(), parts);
  }

  /** Loads a part of the rows of a table, unless it is loaded. */
  async load(table: TableLayout, path: string, content: Buffer): Promise<void> {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const known = this.loaded.get(path);
    if (known === sha256) return;
    if (known !== undefined) return this.giveUp(`The source has changed since the load was interrupted (${path}).`);
    await this.staging.transact(async () => {
      await this.staging.insert(table, content);
      await note(this.staging, path, sha256);
    });
  }

  /** Compares the number of rows, brings the tables to this version, makes the indexes, checks the whole, and puts the store in its place. */
  async finish(rows: Readonly<Record<string, number>>, check: FinalChecks): Promise<void> {
    const { staging, parts } = this;
    for (const [table, expected] of Object.entries(rows)) {
      const count = await countRows(staging, table);
      if (count !== expected) await this.giveUp(`The table ${table} should have ${expected} rows and has ${count}.`);
    }
    await staging.transact(async () => {
      await staging.resetNumbers();
      await migrateToLatest(staging.db, parts);
      for (const { fillIndexes } of Object.values(parts)) await fillIndexes?.(staging.db, staging.runner);
    });
    const problem = await check.loaded(createOwners(staging.db, parts)(staging.runner));
    if (problem !== undefined) throw new ArchiveError(problem);
    await check.place();
    await sql`drop table ${sql.table(PROGRESS)}`.execute(staging.db);
    await staging.takePlace();
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

async function readProgress({ db, schema }: Staging): Promise<Map<string, string>> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name, schema: of }) => name === PROGRESS && (schema === undefined || of === schema))) return new Map();
  const { rows } = await sql<{ path: string; sha256: string }>`select path, sha256 from ${sql.table(PROGRESS)}`.execute(db);
  return new Map(rows.map(({ path, sha256 }) => [path, sha256]));
}

async function note({ db }: Staging, path: string, sha256: string): Promise<void> {
  await sql`insert into ${sql.table(PROGRESS)} (path, sha256) values (${path}, ${sha256})`.execute(db);
}

async function countRows({ db }: Staging, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count);
}
