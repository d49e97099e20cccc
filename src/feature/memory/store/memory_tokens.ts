/** The search in memories in Postgres: a column of tokens in the table itself. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isOwnedRowSeen, toViewerValues, type ViewerValues } from '../../../adapter/sql/access/owned_rows';
import { jsonItems } from '../../../adapter/sql/base/dialect';
import { type Runner, template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { MAX_TERMS } from '../../../adapter/sql/search/relevance';
import { toTsquery, toTsvector } from '../../../adapter/sql/search/tsvector';
import { type MatchMode, searchTerms } from '../../../utils/search_tokens';
import type { MemoryQuery, MemoryRecord } from './memory_records';
import { type MatchRow, type MemoryIndex, type MemoryKey, rankMemories } from './memory_search';

export class MemoryTokens implements MemoryIndex {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    this.statements = statements(db);
  }

  async put(runner: Runner, { tenantId, id, text }: MemoryKey & Pick<MemoryRecord, 'text'>): Promise<void> {
    await runner.changes(this.statements.put({ tenantId, id, tokens: toTsvector(tenantId, text) ?? null }));
  }

  /** Nothing to remove: the tokens stand in the row of the memory and are deleted with it. */
  async remove(): Promise<void> {}

  condition(tenantId: string, query: string): RawBuilder<SqlBool> | undefined {
    const terms = searchTerms(query, 'all', { lastIsPrefix: true });
    return terms.length === 0 ? undefined : sql<SqlBool>`tokens @@ ${toTsquery(tenantId, terms)}::tsquery`;
  }

  async rankIds(
    runner: Runner,
    tenantId: string,
    { query, kind, viewer }: MemoryQuery,
    { mode, limit }: { mode: MatchMode; limit: number },
  ): Promise<string[]> {
    const terms = searchTerms(query, mode, { lastIsPrefix: mode === 'all' }).slice(0, MAX_TERMS);
    if (terms.length === 0) return [];
    const expressions = JSON.stringify(terms.map(term => toTsquery(tenantId, [term])));
    const rows = await runner.rows(
      this.statements.matches({ tenant_id: tenantId, kind: kind ?? null, expressions, ...toViewerValues(viewer) }),
    );
    return rankMemories(rows, terms, { mode, limit });
  }
}

interface MatchQuery extends ViewerValues {
  tenant_id: string;
  kind: MemoryRecord['kind'] | null;
  expressions: string;
}

function statements(db: Kysely<Schema>) {
  return {
    put: template((row: MemoryKey & { tokens: string | null }) => ({
      compile: () =>
        sql`update memories set tokens = ${row.tokens}::tsvector where tenant_id = ${row.tenantId} and id = ${row.id}`.compile(db),
    })),
    matches: template((query: MatchQuery) => ({
      compile: () =>
        sql<MatchRow>`
          with found as materialized (
            select memories.search_id, sum(1::bigint << (place.key - 1)::int) as terms
            from ${jsonItems(db, query.expressions)} join memories on memories.tokens @@ place.value::tsquery
            where memories.tenant_id = ${query.tenant_id} and memories.kind = coalesce(${query.kind}, memories.kind)
              and ${isOwnedRowSeen(db, 'memories', query)}
            group by memories.search_id
          )
          select memories.id, found.terms, octet_length(memories.text) as length, memories.updated_at,
            (select count(*) from memories where tenant_id = ${query.tenant_id}) as total
          from found join memories on memories.search_id = found.search_id`.compile(db),
    })),
  };
}
