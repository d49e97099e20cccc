/** The search in memories in Postgres: a column of tokens in the table itself. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { MemoryFilter } from '../../port/store/memories';
import { type MatchMode, searchTerms } from '../../utils/search_tokens';
import type { MemoryRow } from './memory_row';
import type { MemoryIndex } from './memory_search';
import { type Runner, template } from './query_template';
import type { Schema } from './schema';
import { tenantMark, toTsquery, toTsvector, withMarks } from './tsvector';

type Key = Pick<MemoryRow, 'tenant_id' | 'id'>;

export class MemoryTokens implements MemoryIndex {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    this.statements = statements(db);
  }

  async put(runner: Runner, { tenantId, id, text }: { tenantId: string; id: string; text: string }): Promise<void> {
    const tokens = toTsvector(text, [tenantMark(tenantId)]) ?? null;
    await runner.changes(this.statements.put({ tenant_id: tenantId, id, tokens }));
  }

  /** The tokens stand in the row of the memory. */
  async remove(): Promise<void> {}

  condition(tenantId: string, query: string): RawBuilder<SqlBool> | undefined {
    const words = toWords(query, 'all', true);
    return words === '' ? undefined : sql<SqlBool>`tokens @@ ${withMarks(words, [tenantMark(tenantId)])}::tsquery`;
  }

  /** Resolves the ids of the best matches, best first, of equal ones the most recently changed first. */
  async rankIds(
    runner: Runner,
    tenantId: string,
    { query, kind }: MemoryFilter & { query: string },
    { mode, limit }: { mode: MatchMode; limit: number },
  ): Promise<string[]> {
    const words = toWords(query, mode, mode === 'all');
    if (words === '') return [];
    const match = withMarks(words, [tenantMark(tenantId)]);
    return (await runner.rows(this.statements.rank({ tenant_id: tenantId, kind: kind ?? null, match, words, limit }))).map(({ id }) => id);
  }
}

const toWords = (query: string, mode: MatchMode, lastIsPrefix: boolean): string =>
  toTsquery(searchTerms(query, mode, { lastIsPrefix }), mode);

/** Divide the score by the number of words: memories are short. */
const BY_LENGTH = sql.lit(2);

type Ranking = Pick<MemoryRow, 'tenant_id'> & { kind: MemoryRow['kind'] | null; match: string; words: string; limit: number };

/** The score of a text depends on nothing but its own words: it tells nothing of other tenants. */
function statements(db: Kysely<Schema>) {
  return {
    put: template((row: Key & { tokens: string | null }) => ({
      compile: () =>
        sql`update memories set tokens = ${row.tokens}::tsvector where tenant_id = ${row.tenant_id} and id = ${row.id}`.compile(db),
    })),
    rank: template((search: Ranking) => ({
      compile: () =>
        sql<Pick<MemoryRow, 'id'>>`select id from memories
          where tokens @@ ${search.match}::tsquery and tenant_id = ${search.tenant_id} and kind = coalesce(${search.kind}, kind)
          order by ts_rank(tokens, ${search.words}::tsquery, ${BY_LENGTH}) desc, updated_at desc, id limit ${search.limit}`.compile(db),
    })),
  };
}
