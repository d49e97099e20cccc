/** The index of the words of memories, and their rank for a query. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isOwnedRowSeen, toViewerValues, type ViewerValues } from '../../../adapter/sql/access/owned_rows';
import { type Runner, template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { toMatch, toPhrase } from '../../../adapter/sql/search/fts5_expressions';
import { allTerms, hasTerm, MAX_TERMS, scoreMatches, weighTerm } from '../../../adapter/sql/search/relevance';
import { toIndexedText, toTenantTerm } from '../../../adapter/sql/search/tenant_tokens';
import { type MatchMode, type SearchTerm, searchTerms } from '../../../utils/search_tokens';
import type { MemoryQuery, MemoryRecord } from './memory_records';

/** A match of a search in memories. `terms`: see relevance.ts. `length`: bytes of the text. `total`: number of memories of the tenant. */
export interface MatchRow {
  id: string;
  terms: number;
  length: number;
  updated_at: number;
  total: number;
}

interface MatchQuery extends ViewerValues {
  tenant_id: string;
  kind: MemoryRecord['kind'] | null;
  expressions: string;
}

export type MemoryKey = Pick<MemoryRecord, 'tenantId' | 'id'>;

/** The search index for memories, which each store has in its own form. */
export interface MemoryIndex {
  /** Puts a stored memory into the index, and removes an older text of the same memory. */
  put(runner: Runner, memory: MemoryKey & Pick<MemoryRecord, 'text'>): Promise<void>;
  /** Removes a memory from the index. Call it before the memory is deleted. */
  remove(runner: Runner, key: MemoryKey): Promise<void>;
  /** The condition that every word of the query occurs, the last one perhaps as the beginning of a word; undefined for a query without words. */
  condition(tenantId: string, query: string): RawBuilder<SqlBool> | undefined;
  rankIds: MemorySearch['rankIds'];
}

/** The index of SQLite: a table of FTS5. */
export class MemorySearch implements MemoryIndex {
  private readonly matches: ReturnType<typeof matchStatement>;
  private readonly statements: ReturnType<typeof indexStatements>;

  constructor(db: Kysely<Schema>) {
    this.matches = matchStatement(db);
    this.statements = indexStatements(db);
  }

  async put(runner: Runner, { text, ...key }: MemoryKey & Pick<MemoryRecord, 'text'>): Promise<void> {
    await this.remove(runner, key);
    await runner.changes(this.statements.put({ ...key, tokens: toIndexedText(key.tenantId, text).tokens }));
  }

  async remove(runner: Runner, key: MemoryKey): Promise<void> {
    await runner.changes(this.statements.remove(key));
  }

  condition(tenantId: string, query: string): RawBuilder<SqlBool> | undefined {
    const match = toMatch(tenantId, searchTerms(query, 'all', { lastIsPrefix: true }), 'all');
    return match === undefined ? undefined : sql`search_id in (select rowid from memory_search where memory_search match ${match})`;
  }

  /** Resolves with the ids of the best matches, best first; of equal matches the most recently changed memory first. */
  async rankIds(
    runner: Runner,
    tenantId: string,
    { query, kind, viewer }: MemoryQuery,
    { mode, limit }: { mode: MatchMode; limit: number },
  ): Promise<string[]> {
    const terms = searchTerms(query, mode, { lastIsPrefix: mode === 'all' }).slice(0, MAX_TERMS);
    if (terms.length === 0) return [];
    const expressions = JSON.stringify(terms.map(term => toPhrase(toTenantTerm(tenantId, term))));
    const rows = await runner.rows(this.matches({ tenant_id: tenantId, kind: kind ?? null, expressions, ...toViewerValues(viewer) }));
    return rankMemories(rows, terms, { mode, limit });
  }
}

/** Returns the ids of the best rows, best first. */
export function rankMemories(
  rows: readonly MatchRow[],
  terms: readonly SearchTerm[],
  { mode, limit }: { mode: MatchMode; limit: number },
): string[] {
  const matches = mode === 'all' ? rows.filter(row => row.terms === allTerms(terms)) : rows;
  const scores = scoreMatches(
    matches.map(match => ({ ...match, counts: null })),
    weightsOf(terms, rows),
  );
  return matches
    .map(({ id, updated_at }, i) => ({ id, updated_at, score: scores[i] ?? 0 }))
    .sort((a, b) => b.score - a.score || b.updated_at - a.updated_at || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id);
}

function weightsOf(terms: readonly SearchTerm[], rows: readonly MatchRow[]) {
  const total = rows[0]?.total ?? 0;
  return terms.map((term, i) => {
    const matches = rows.filter(row => hasTerm(row.terms, i)).length;
    return weighTerm(term, { matches, total });
  });
}

/** `cross join` searches for one term after the other. */
function matchStatement(db: Kysely<Schema>) {
  return template((query: MatchQuery) => ({
    compile: () =>
      sql<MatchRow>`
        with found as materialized (
          select memory_search.rowid as search_id, sum(1 << term.key) as terms
          from json_each(${query.expressions}) as term cross join memory_search where memory_search match term.value
          group by memory_search.rowid
        )
        select memories.id, found.terms, octet_length(memories.text) as length, memories.updated_at,
          (select count(*) from memories where tenant_id = ${query.tenant_id}) as total
        from found cross join memories on memories.search_id = found.search_id
        where memories.tenant_id = ${query.tenant_id} and memories.kind = coalesce(${query.kind}, memories.kind)
          and ${isOwnedRowSeen(db, 'memories', query)}`.compile(db),
  }));
}

function indexStatements(db: Kysely<Schema>) {
  return {
    put: template((row: MemoryKey & { tokens: string }) => ({
      compile: () =>
        sql`insert into memory_search (rowid, tokens)
          select search_id, ${row.tokens} from memories where tenant_id = ${row.tenantId} and id = ${row.id}`.compile(db),
    })),
    remove: template((key: MemoryKey) => ({
      compile: () =>
        sql`delete from memory_search
          where rowid = (select search_id from memories where tenant_id = ${key.tenantId} and id = ${key.id})`.compile(db),
    })),
  };
}
