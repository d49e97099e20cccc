/** Queries about memories and their search index. */
import { type Kysely, sql } from 'kysely';
import type { MemoryFilter, MemoryPatch, MemoryRecord, MemorySource } from '../../port/store/memories';
import type { Page, PageRequest } from '../../port/store/page';
import { contentHash } from '../../utils/content_hash';
import type { MatchMode } from '../../utils/search_tokens';
import { fromJson, orUnchanged, toJson } from './column_values';
import { type ListOrder, readPage } from './cursor';
import { inThisOrder, isPostgres, jsonItems } from './dialect';
import { insertRows } from './insert_rows';
import type { MemoryChangesRow, MemoryRow } from './memory_row';
import { type MemoryIndex, MemorySearch } from './memory_search';
import { MemoryTokens } from './memory_tokens';
import { template } from './query_template';
import type { RetentionTable } from './retention_table';
import type { Nullable, Schema } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['tenant_id', 'id', 'text', 'fingerprint', 'kind', 'source', 'created_at', 'updated_at', 'last_used_at'] as const;

const ORDER: ListOrder = { list: 'memories', columns: ['updated_at', 'id'], second: 'string', direction: 'desc' };

type Key = Pick<MemoryRow, 'tenant_id' | 'id'>;
type InsertedRow = Omit<MemoryRow, 'search_id'>;
type MemoryText = Pick<MemoryRecord, 'id' | 'text' | 'updatedAt'>;
type TextsAfter = Pick<MemoryRow, 'tenant_id'> & { kind: MemoryRow['kind'] | null; after: string; limit: number };
type Change = Key & Nullable<Pick<MemoryRow, 'text' | 'fingerprint' | 'kind' | 'source' | 'updated_at'>>;

export class MemoryTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;
  private readonly search: MemoryIndex;

  constructor(
    private readonly db: Kysely<Schema>,
    private readonly retention: RetentionTable,
  ) {
    super();
    this.statements = statements(db);
    this.search = isPostgres(db) ? new MemoryTokens(db) : new MemorySearch(db);
  }

  async get(tenantId: string, id: string): Promise<MemoryRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, id }));
    return row && toRecord(row);
  }

  async list(tenantId: string, { kind, query }: MemoryFilter, page: PageRequest): Promise<Page<MemoryRecord>> {
    const isMatch = query === undefined ? undefined : this.search.condition(tenantId, query);
    if (query !== undefined && isMatch === undefined) return { data: [] };
    let rows = this.db.selectFrom('memories').select(COLUMNS).where('tenant_id', '=', tenantId);
    if (kind !== undefined) rows = rows.where('kind', '=', kind);
    if (isMatch) rows = rows.where(isMatch);
    return readPage(this.runner, rows, { order: ORDER, long: ['text'], toRecord }, page);
  }

  async rank(tenantId: string, query: string, limit: number): Promise<MemoryRecord[]> {
    const ids = await this.search.rankIds(this.runner, tenantId, { query }, { mode: 'any', limit });
    if (ids.length === 0) return [];
    const byId = new Map((await this.readAll(tenantId, ids)).map(memory => [memory.id, memory]));
    return ids.flatMap(id => byId.get(id) ?? []);
  }

  rankIds(tenantId: string, filter: MemoryFilter & { query: string }, mode: MatchMode, limit: number): Promise<string[]> {
    return this.search.rankIds(this.runner, tenantId, filter, { mode, limit });
  }

  async readAll(tenantId: string, ids: readonly string[]): Promise<MemoryRecord[]> {
    return (await this.runner.rows(this.statements.readAll({ tenant_id: tenantId, ids: JSON.stringify(ids) }))).map(toRecord);
  }

  async countChanges(tenantId: string): Promise<number> {
    const [row] = await this.runner.rows(this.statements.changes({ tenant_id: tenantId }));
    return row?.number ?? 0;
  }

  listTimes(tenantId: string): Promise<Pick<MemoryRecord, 'id' | 'updatedAt'>[]> {
    return this.runner.rows(this.statements.listTimes({ tenant_id: tenantId }));
  }

  listTexts(tenantId: string, { kind }: Pick<MemoryFilter, 'kind'>, after: string, limit: number): Promise<MemoryText[]> {
    return this.runner.rows(this.statements.listTexts({ tenant_id: tenantId, kind: kind ?? null, after, limit }));
  }

  async findSame(tenantId: string, text: string): Promise<MemoryRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.findSame({ tenant_id: tenantId, fingerprint: fingerprintOf(text) }));
    return row && toRecord(row);
  }

  async count(tenantId: string): Promise<number> {
    const [row] = await this.runner.rows(this.statements.count({ tenant_id: tenantId }));
    return row?.number ?? 0;
  }

  async insert(memory: MemoryRecord): Promise<void> {
    await this.statements.insert(this.runner, [toRow(memory)]);
    await this.search.put(this.runner, memory);
    await this.countChange(memory.tenantId);
  }

  async update(tenantId: string, id: string, patch: MemoryPatch): Promise<boolean> {
    const { text, kind, source, updatedAt } = patch;
    const change: Change = {
      tenant_id: tenantId,
      id,
      text: text ?? null,
      fingerprint: text === undefined ? null : fingerprintOf(text),
      kind: kind ?? null,
      source: toJson(source),
      updated_at: updatedAt ?? null,
    };
    const isFound = (await this.runner.changes(this.statements.update(change))) > 0;
    if (!isFound) return false;
    await this.countChange(tenantId);
    if (text === undefined) return true;
    await this.search.put(this.runner, { tenantId, id, text });
    await this.retention.on(this.runner).notePurge();
    return true;
  }

  async delete(tenantId: string, id: string): Promise<boolean> {
    const key = { tenant_id: tenantId, id };
    await this.search.remove(this.runner, { tenantId, id });
    const isFound = (await this.runner.changes(this.statements.delete(key))) > 0;
    if (!isFound) return false;
    await this.countChange(tenantId);
    await this.retention.on(this.runner).notePurge();
    return true;
  }

  async markUsed(tenantId: string, ids: readonly string[], lastUsedAt: number): Promise<void> {
    await this.runner.changes(this.statements.markUsed({ tenant_id: tenantId, ids: JSON.stringify(ids), last_used_at: lastUsedAt }));
  }

  private async countChange(tenantId: string): Promise<void> {
    await this.runner.changes(this.statements.countChange({ tenant_id: tenantId }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template((key: Key) => db.selectFrom('memories').select(COLUMNS).where('tenant_id', '=', key.tenant_id).where('id', '=', key.id)),
    findSame: template((key: Pick<MemoryRow, 'tenant_id' | 'fingerprint'>) =>
      db
        .selectFrom('memories')
        .select(COLUMNS)
        .where('tenant_id', '=', key.tenant_id)
        .where('fingerprint', '=', key.fingerprint)
        .limit(sql.lit(1)),
    ),
    count: template((key: Pick<MemoryRow, 'tenant_id'>) =>
      db.selectFrom('memories').select(sql<number>`count(*)`.as('number')).where('tenant_id', '=', key.tenant_id),
    ),
    insert: insertRows<InsertedRow>(COLUMNS, rows => db.insertInto('memories').values(rows)),
    update: template((change: Change) =>
      db
        .updateTable('memories')
        .set({
          text: orUnchanged(change.text, 'text'),
          fingerprint: orUnchanged(change.fingerprint, 'fingerprint'),
          kind: orUnchanged(change.kind, 'kind'),
          source: orUnchanged(change.source, 'source'),
          updated_at: orUnchanged(change.updated_at, 'updated_at'),
        })
        .where('tenant_id', '=', change.tenant_id)
        .where('id', '=', change.id),
    ),
    delete: template((key: Key) => db.deleteFrom('memories').where('tenant_id', '=', key.tenant_id).where('id', '=', key.id)),
    ...changeStatements(db),
    ...listStatements(db),
  };
}

function changeStatements(db: Kysely<Schema>) {
  return {
    changes: template((key: Pick<MemoryChangesRow, 'tenant_id'>) =>
      db.selectFrom('memory_changes').select('number').where('tenant_id', '=', key.tenant_id),
    ),
    countChange: template((key: Pick<MemoryChangesRow, 'tenant_id'>) => ({
      compile: () =>
        sql`insert into memory_changes (tenant_id, number) values (${key.tenant_id}, 1)
          on conflict (tenant_id) do update set number = memory_changes.number + 1`.compile(db),
    })),
    listTimes: template((key: Pick<MemoryRow, 'tenant_id'>) =>
      db.selectFrom('memories').select(['id', 'updated_at as updatedAt']).where('tenant_id', '=', key.tenant_id),
    ),
  };
}

/** Statements about several rows at a time; ids are one JSON value. */
function listStatements(db: Kysely<Schema>) {
  return {
    // `cross join` keeps this order; otherwise SQLite walks all memories for each id.
    readAll: template((key: Pick<MemoryRow, 'tenant_id'> & { ids: string }) => ({
      compile: () =>
        sql<InsertedRow>`select ${sql.join(COLUMNS.map(column => sql.ref(column === 'id' ? 'memories.id' : column)))} from ${jsonItems(db, key.ids)}
          ${inThisOrder(db)}join memories on memories.tenant_id = ${key.tenant_id} and memories.id = place.value`.compile(db),
    })),
    listTexts: template((page: TextsAfter) => ({
      compile: () =>
        sql<MemoryText>`select id, text, updated_at as "updatedAt" from memories
          where tenant_id = ${page.tenant_id} and id > ${page.after} and kind = coalesce(${page.kind}, kind)
          order by id limit ${page.limit}`.compile(db),
    })),
    markUsed: template((used: { tenant_id: string; ids: string; last_used_at: number }) => ({
      compile: () =>
        sql`update memories set last_used_at = ${used.last_used_at}
          where tenant_id = ${used.tenant_id} and id in (select value from ${jsonItems(db, used.ids)})`.compile(db),
    })),
  };
}

/** Punctuation of sentences; the signs in C++, -5 and a != b are none. */
const SENTENCE_MARKS = /[。，、；：！？…“”「」『』《》（）]|[.,;:!?"')\]]+(?=\s|$)|(?<=^|\s)["'([]+/gu;

/**
 * Returns an id that is equal for texts that differ only in case, white space and punctuation: saving one of them replaces the other without a
 * question.
 */
const fingerprintOf = (text: string): string => contentHash(withoutMarks(text) || text.trim());

const withoutMarks = (text: string): string =>
  text.toLowerCase().replace(SENTENCE_MARKS, ' ').normalize('NFKC').replace(/\s+/g, ' ').trim();

function toRow(memory: MemoryRecord): InsertedRow {
  return {
    tenant_id: memory.tenantId,
    id: memory.id,
    text: memory.text,
    fingerprint: fingerprintOf(memory.text),
    kind: memory.kind,
    source: JSON.stringify(memory.source),
    created_at: memory.createdAt,
    updated_at: memory.updatedAt,
    last_used_at: memory.lastUsedAt ?? null,
  };
}

function toRecord(row: InsertedRow): MemoryRecord {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    text: row.text,
    kind: row.kind,
    source: fromJson<MemorySource>(row.source),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}
