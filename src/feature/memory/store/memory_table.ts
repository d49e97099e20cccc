/** Queries about memories and their search index. */
import { type Generated, type Kysely, type SqlBool, sql } from 'kysely';
import { isOwnedRowSeen, OWNED_COLUMNS, toViewerValues, type ViewerValues } from '../../../adapter/sql/access/owned_rows';
import { type ListOrder, readPage } from '../../../adapter/sql/base/cursor';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { inThisOrder, isPostgres, jsonItems } from '../../../adapter/sql/base/dialect';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy, setUnlessNull } from '../../../adapter/sql/base/table_statements';
import { RetentionTable } from '../../../adapter/sql/retention/retention_table';
import type { Page, PageRequest } from '../../../port/store/page';
import type { Viewer } from '../../../port/store/session_access';
import { contentHash } from '../../../utils/content_hash';
import type { MatchMode } from '../../../utils/search_tokens';
import type { MemoryFilter, MemoryPatch, MemoryQuery, MemoryRecord } from './memory_records';
import { type MemoryIndex, MemorySearch } from './memory_search';
import { MemoryTokens } from './memory_tokens';

const MEMORIES = defineTable<MemoryRecord>()('memories', {
  tenant_id: 'text',
  id: 'text',
  text: 'text',
  fingerprint: ({ text }: MemoryRecord) => fingerprintOf(text),
  kind: 'text',
  source: 'json',
  created_at: 'number',
  updated_at: 'number',
  last_used_at: 'number?',
  ...OWNED_COLUMNS,
});
const CHANGES = defineTable<MemoryPatch>()('memories', {
  text: 'text?',
  fingerprint: ({ text }: MemoryPatch) => (text === undefined ? null : fingerprintOf(text)),
  kind: 'text?',
  source: 'json?',
  updated_at: 'number?',
  visibility: 'text?',
  shared_with: 'json?',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    /** `search_id`: the row of the memory in the search index memory_search. */
    memories: RowOf<typeof MEMORIES> & { search_id: Generated<number> };
    /** `number`: how often a memory of the tenant was added, changed or deleted. */
    memory_changes: { tenant_id: string; number: number };
  }
}

type Key = Pick<RowOf<typeof MEMORIES>, 'tenant_id' | 'id'>;
type TenantKey = Pick<Key, 'tenant_id'>;

const ORDER: ListOrder = { list: 'memories', columns: ['updated_at', 'id'], second: 'string', direction: 'desc' };

type MemoryText = Pick<MemoryRecord, 'id' | 'text' | 'updatedAt'>;
type IndexedMemory = Pick<MemoryRecord, 'tenantId' | 'id' | 'text'> & { searchId: number };
type TextsAfter = TenantKey & ViewerValues & { kind: MemoryRecord['kind'] | null; after: string; limit: number };

export class MemoryTable extends sqlTable(statements) {
  private readonly search: MemoryIndex = isPostgres(this.db) ? new MemoryTokens(this.db) : new MemorySearch(this.db);
  private readonly retention = new RetentionTable(this.db);

  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), MEMORIES.toRecord);
  }

  async list(tenantId: string, { kind, query, viewer }: MemoryFilter, page: PageRequest): Promise<Page<MemoryRecord>> {
    const isMatch = query === undefined ? undefined : this.search.condition(tenantId, query);
    if (query !== undefined && isMatch === undefined) return { data: [] };
    let rows = this.db.selectFrom('memories').select(MEMORIES.columns).where('tenant_id', '=', tenantId);
    if (kind !== undefined) rows = rows.where('kind', '=', kind);
    if (isMatch) rows = rows.where(isMatch);
    if (viewer) rows = rows.where(isOwnedRowSeen(this.db, 'memories', toViewerValues(viewer)));
    return readPage(this.runner, rows, { order: ORDER, long: ['text'], toRecord: MEMORIES.toRecord }, page);
  }

  async rank(tenantId: string, query: MemoryQuery, limit: number): Promise<MemoryRecord[]> {
    const ids = await this.search.rankIds(this.runner, tenantId, query, { mode: 'any', limit });
    if (ids.length === 0) return [];
    const byId = new Map((await this.readAll(tenantId, ids)).map(memory => [memory.id, memory]));
    return ids.flatMap(id => byId.get(id) ?? []);
  }

  rankIds(tenantId: string, filter: MemoryQuery, mode: MatchMode, limit: number): Promise<string[]> {
    return this.search.rankIds(this.runner, tenantId, filter, { mode, limit });
  }

  readAll(tenantId: string, ids: readonly string[]) {
    return this.records(this.statements.readAll({ tenant_id: tenantId, ids: JSON.stringify(ids) }), MEMORIES.toRecord);
  }

  async countChanges(tenantId: string): Promise<number> {
    const [row] = await this.runner.rows(this.statements.changes({ tenant_id: tenantId }));
    return row?.number ?? 0;
  }

  listTimes(tenantId: string, viewer: Viewer): Promise<Pick<MemoryRecord, 'id' | 'updatedAt'>[]> {
    return this.runner.rows(this.statements.listTimes({ tenant_id: tenantId, ...toViewerValues(viewer) }));
  }

  listTexts(tenantId: string, { kind, viewer }: Pick<MemoryQuery, 'kind' | 'viewer'>, after: string, limit: number): Promise<MemoryText[]> {
    const key = { tenant_id: tenantId, kind: kind ?? null, after, limit };
    return this.runner.rows(this.statements.listTexts({ ...key, ...toViewerValues(viewer) }));
  }

  findSame(tenantId: string, text: string, owner = '') {
    return this.record(this.statements.findSame({ tenant_id: tenantId, fingerprint: fingerprintOf(text), owner }), MEMORIES.toRecord);
  }

  async count(tenantId: string, owner = ''): Promise<number> {
    const [row] = await this.runner.rows(this.statements.count({ tenant_id: tenantId, owner }));
    return row?.number ?? 0;
  }

  async insert(memory: MemoryRecord): Promise<void> {
    await this.statements.insert(this.runner, [memory]);
    await this.search.put(this.runner, memory);
    await this.countChange(memory.tenantId);
  }

  async update(tenantId: string, id: string, patch: MemoryPatch): Promise<boolean> {
    if (!(await this.hasChanged(this.statements.update({ tenant_id: tenantId, id, ...CHANGES.toRow(patch) })))) return false;
    await this.countChange(tenantId);
    if (patch.text === undefined) return true;
    await this.search.put(this.runner, { tenantId, id, text: patch.text });
    await this.retention.on(this.runner).notePurge();
    return true;
  }

  async delete(tenantId: string, id: string): Promise<boolean> {
    const key = { tenant_id: tenantId, id };
    await this.search.remove(this.runner, { tenantId, id });
    if (!(await this.hasChanged(this.statements.delete(key)))) return false;
    await this.countChange(tenantId);
    await this.retention.on(this.runner).notePurge();
    return true;
  }

  async markUsed(tenantId: string, ids: readonly string[], lastUsedAt: number): Promise<void> {
    await this.runner.changes(this.statements.markUsed({ tenant_id: tenantId, ids: JSON.stringify(ids), last_used_at: lastUsedAt }));
  }

  /** Puts every memory into the search index, after rows were restored without it. */
  async fillIndex(): Promise<void> {
    let after = 0;
    for (;;) {
      const memories = await this.runner.rows(this.statements.listAfter({ after }));
      for (const memory of memories) await this.search.put(this.runner, memory);
      const last = memories.at(-1);
      if (!last) return;
      after = last.searchId;
    }
  }

  private async countChange(tenantId: string): Promise<void> {
    await this.runner.changes(this.statements.countChange({ tenant_id: tenantId }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, MEMORIES, 'tenant_id', 'id'),
    findSame: template((key: TenantKey & { fingerprint: string; owner: string }) =>
      db
        .selectFrom('memories')
        .select(MEMORIES.columns)
        .where('tenant_id', '=', key.tenant_id)
        .where('fingerprint', '=', key.fingerprint)
        .where(sql<SqlBool>`coalesce(owner, '') in ('', ${key.owner})`)
        .orderBy(sql`case when owner is null then 1 else 0 end`)
        .limit(sql.lit(1)),
    ),
    count: template((key: TenantKey & { owner: string }) =>
      db
        .selectFrom('memories')
        .select(sql<number>`count(*)`.as('number'))
        .where('tenant_id', '=', key.tenant_id)
        .where(sql<SqlBool>`coalesce(owner, '') = ${key.owner}`),
    ),
    insert: insertInto(db, MEMORIES),
    update: template((change: Key & RowOf<typeof CHANGES>) =>
      db
        .updateTable('memories')
        .set(setUnlessNull(change, CHANGES.columns))
        .where('tenant_id', '=', change.tenant_id)
        .where('id', '=', change.id),
    ),
    delete: deleteBy(db, MEMORIES, 'tenant_id', 'id'),
    ...changeStatements(db),
    ...listStatements(db),
  };
}

function changeStatements(db: Kysely<Schema>) {
  return {
    changes: template((key: TenantKey) => db.selectFrom('memory_changes').select('number').where('tenant_id', '=', key.tenant_id)),
    countChange: template((key: TenantKey) => ({
      compile: () =>
        sql`insert into memory_changes (tenant_id, number) values (${key.tenant_id}, 1)
          on conflict (tenant_id) do update set number = memory_changes.number + 1`.compile(db),
    })),
    listTimes: template((key: TenantKey & ViewerValues) =>
      db
        .selectFrom('memories')
        .select(['id', 'updated_at as updatedAt'])
        .where('tenant_id', '=', key.tenant_id)
        .where(isOwnedRowSeen(db, 'memories', key)),
    ),
  };
}

/** Statements about several rows at a time; ids are one JSON value. */
function listStatements(db: Kysely<Schema>) {
  return {
    // `cross join` keeps this order; otherwise SQLite walks all memories for each id.
    readAll: template((key: TenantKey & { ids: string }) => ({
      compile: () =>
        sql<
          RowOf<typeof MEMORIES>
        >`select ${sql.join(MEMORIES.columns.map(column => sql.ref(column === 'id' ? 'memories.id' : column)))} from ${jsonItems(db, key.ids)}
          ${inThisOrder(db)}join memories on memories.tenant_id = ${key.tenant_id} and memories.id = place.value`.compile(db),
    })),
    listTexts: template((page: TextsAfter) => ({
      compile: () =>
        sql<MemoryText>`select id, text, updated_at as "updatedAt" from memories
          where tenant_id = ${page.tenant_id} and id > ${page.after} and kind = coalesce(${page.kind}, kind)
            and ${isOwnedRowSeen(db, 'memories', page)}
          order by id limit ${page.limit}`.compile(db),
    })),
    listAfter: template(({ after }: { after: number }) => ({
      compile: () =>
        sql<IndexedMemory>`select search_id as "searchId", tenant_id as "tenantId", id, text from memories
          where search_id > ${after} order by search_id limit 200`.compile(db),
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
