/**
 * Finishes migration 027 in small parts, in the background: indexes the memories, the newest first, then removes the old indexes. Their pages are
 * overwritten part by part, because to drop a large table holds the event loop.
 */
import { type Kysely, sql } from 'kysely';
import { type Runner, template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { toIndexedText } from './tenant_tokens';

/** Key in `settings`. Its value is the `search_id` of the newest memory that is not indexed; the row goes when nothing is left to do. */
const KEY = 'search_upgrade';
const MEMORIES_AT_ONCE = 20;
/** Rows of about 4 KB each that one part overwrites. */
const ROWS_AT_ONCE = 24;
/** The rows below this one hold the structure of an FTS5 index, which FTS5 still reads when the table is dropped. */
const FIRST_DATA_ROW = 1_000;

const OLD_INDEXES = ['old_search_index', 'old_memory_search'] as const;

export class SearchUpgrade {
  private readonly statements: ReturnType<typeof statements>;
  private isDone = false;

  constructor(db: Kysely<Schema>) {
    this.statements = statements(db);
  }

  /** Returns true while the upgrade has work left. Costs no statement afterwards. */
  async isPending(runner: Runner): Promise<boolean> {
    return (await this.readLeft(runner)) !== undefined;
  }

  /** Does one part of the upgrade. Resolves whether more is left. */
  async next(runner: Runner): Promise<boolean> {
    const left = await this.readLeft(runner);
    if (left === undefined) return false;
    if (left > 0) return this.indexMemories(runner, left);
    for (const table of OLD_INDEXES) if (await this.removePart(runner, table)) return true;
    await runner.changes(this.statements.end({}));
    return false;
  }

  private async readLeft(runner: Runner): Promise<number | undefined> {
    if (this.isDone) return undefined;
    const [row] = await runner.rows(this.statements.left({}));
    this.isDone = row === undefined;
    return row && Number(row.value);
  }

  /** A memory that was changed since the migration is in the index already. */
  private async indexMemories(runner: Runner, newest: number): Promise<true> {
    const rows = await runner.rows(this.statements.memories({ newest }));
    for (const { search_id, tenant_id, text } of rows) {
      await runner.changes(this.statements.unindex({ search_id }));
      await runner.changes(this.statements.index({ search_id, tokens: toIndexedText(tenant_id, text).tokens }));
    }
    const oldest = rows.length < MEMORIES_AT_ONCE ? undefined : rows.at(-1);
    await runner.changes(this.statements.setLeft({ value: String(oldest ? oldest.search_id - 1 : 0) }));
    return true;
  }

  /** Overwrites and deletes a part of an old index. Resolves false when its table is gone. */
  private async removePart(runner: Runner, table: (typeof OLD_INDEXES)[number]): Promise<boolean> {
    const [found] = await runner.rows(this.statements.table({ name: table }));
    if (!found) return false;
    const removed = await runner.changes(this.statements[table].removeRows({}));
    if (removed === 0) await runner.changes(this.statements[table].drop({}));
    return true;
  }
}

function statements(db: Kysely<Schema>) {
  return {
    left: template((_: object) => db.selectFrom('settings').select('value').where('key', '=', sql.lit(KEY))),
    setLeft: template(({ value }: { value: string }) => db.updateTable('settings').set({ value }).where('key', '=', sql.lit(KEY))),
    end: template((_: object) => db.deleteFrom('settings').where('key', '=', sql.lit(KEY))),
    memories: template(({ newest }: { newest: number }) =>
      db
        .selectFrom('memories')
        .select(['search_id', 'tenant_id', 'text'])
        .where('search_id', '<=', newest)
        .orderBy('search_id', 'desc')
        .limit(sql.lit(MEMORIES_AT_ONCE)),
    ),
    unindex: template(({ search_id }: { search_id: number }) => ({
      compile: () => sql`delete from memory_search where rowid = ${search_id}`.compile(db),
    })),
    index: template((row: { search_id: number; tokens: string }) => ({
      compile: () => sql`insert into memory_search (rowid, tokens) values (${row.search_id}, ${row.tokens})`.compile(db),
    })),
    table: template(({ name }: { name: string }) => ({
      compile: () => sql<{ name: string }>`select name from sqlite_master where type = 'table' and name = ${name}`.compile(db),
    })),
    old_search_index: oldIndex(db, 'old_search_index'),
    old_memory_search: oldIndex(db, 'old_memory_search'),
  };
}

function oldIndex(db: Kysely<Schema>, table: (typeof OLD_INDEXES)[number]) {
  const data = sql.table(`${table}_data`);
  return {
    removeRows: template((_: object) => ({
      compile: () =>
        sql`delete from ${data} where id in (
          select id from ${data} where id > ${sql.lit(FIRST_DATA_ROW)} order by id desc limit ${sql.lit(ROWS_AT_ONCE)}
        )`.compile(db),
    })),
    drop: template((_: object) => ({ compile: () => sql`drop table ${sql.table(table)}`.compile(db) })),
  };
}
