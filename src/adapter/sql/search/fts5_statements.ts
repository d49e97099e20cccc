/** Statements of the search in messages over FTS5. */
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { MessageSearch, SearchedRole } from '../../../port/store/search';
import type { SearchTerm } from '../../../utils/search_tokens';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { copiesOf } from '../sessions/session_copy_table';
import { toMessageMatch } from './fts5_expressions';
import { contentOf, INDEXED_UNITS } from './fts5_indexing';
import { allTerms, MAX_TERMS } from './relevance';

/** Matches that are ranked together: the cost of a page does not depend on the number of all matches. */
export const WINDOW = 3_000;

export interface RowRange {
  low: number;
  high: number;
}

/** A range in which at most `limit` matches are counted. */
export type CountedRange = RowRange & { limit: number };

/** Rows with low <= id <= high. */
export interface WindowRange extends RowRange {
  since: number;
  until: number;
  /** 1: only chats with these values; a value that is absent is any value. */
  isNarrow: 0 | 1;
  agent?: string;
  project?: string;
  archived?: 0 | 1;
  /** 1: messages of child sessions too. */
  children: 0 | 1;
}

/** A match, the newest one first. The other columns of a match that a filter leaves out are null. */
export interface WindowRow {
  id: number;
  /** See relevance.ts. */
  terms: number;
  createdAt: number | null;
  length: number;
  counts: Uint8Array | null;
}

export interface HitRow {
  id: number;
  session_id: string;
  parent_session_id: string | null;
  title: string;
  run_id: string;
  message_id: string;
  role: SearchedRole;
  content: string;
  created_at: number;
}

/** A hit as the store reads it. `message`: its JSON, where the store cannot take role and content from it. */
export type StoredHit = Omit<HitRow, 'role' | 'content'> & Partial<Pick<HitRow, 'role' | 'content'>> & { message?: string };

export interface Wanted {
  terms: readonly SearchTerm[];
  search: MessageSearch;
}

export type Window = WindowRange & { tenant_id: string } & { terms: number; expression: string };

/** True for a message whose chat has the agent, project and place that the search asks for. Postgres cannot find out the types of nulls. */
export const isOfChat = ({ isNarrow, agent, project, archived }: Window) => sql`(cast(${isNarrow} as integer) = 0 or exists (
  select 1 from sessions as chat where chat.tenant_id = d.tenant_id and chat.id = d.session_id
    and chat.agent = coalesce(cast(${agent} as text), chat.agent)
    and coalesce(chat.project, '') = coalesce(cast(${project} as text), chat.project, '')
    and coalesce(chat.archived, 0) = coalesce(cast(${archived} as integer), chat.archived, 0)
))`;

/** The statements of a search in messages. Each store has its own. */
export type SearchStatements = ReturnType<typeof searchStatements>;

export function searchStatements(db: Kysely<Schema>) {
  const { count, all, any } = matchStatements(db);
  return {
    /** Counts the newest matches of a term. */
    count: (tenantId: string, term: SearchTerm, range: CountedRange) => count({ ...range, expression: toMessageMatch(tenantId, [term]) }),
    /** Reads the newest matches that hold all terms, at most WINDOW. */
    all: (tenantId: string, { terms, search }: Wanted, range: WindowRange): CompiledQuery<WindowRow> =>
      all({
        ...range,
        tenant_id: tenantId,
        terms: allTerms(terms.slice(0, MAX_TERMS)),
        expression: toMessageMatch(tenantId, terms, search),
      }),
    /** Reads the newest matches that hold at least one term, at most WINDOW. */
    any: (tenantId: string, { terms, search }: Wanted, range: WindowRange): CompiledQuery<WindowRow> => {
      const expressions = terms.slice(0, MAX_TERMS).map(term => toMessageMatch(tenantId, [term], search));
      return any({ ...range, tenant_id: tenantId, terms: 0, expression: JSON.stringify(expressions) });
    },
    ...documentStatements(db),
    hits: hitStatement(db),
    decodeHit: ({ role = 'user', content = '', ...hit }: StoredHit): HitRow => ({ ...hit, role, content }),
  };
}

function matchStatements(db: Kysely<Schema>) {
  const inRange = (range: RowRange) => sql`search_index.rowid between ${range.low} and ${range.high}`;
  const withDocuments = (window: Window, hits: ReturnType<typeof sql>) => ({
    compile: () =>
      sql<WindowRow>`
        with hits as materialized (${hits})
        select hits.id, hits.terms, d.created_at as "createdAt", d.length, d.counts from hits
        left join search_documents as d on d.id = hits.id and d.tenant_id = ${window.tenant_id}
          and d.created_at >= ${window.since} and d.created_at < ${window.until} and d.is_child <= ${window.children}
          and ${isOfChat(window)} and d.session_id not in ${copiesOf(db, window.tenant_id)}
        order by hits.id desc`.compile(db),
  });
  return {
    count: template((range: CountedRange & { expression: string }) => ({
      compile: () =>
        sql<{ matches: number; lowest: number | null }>`
          select count(*) as matches, min(id) as lowest from (
            select rowid as id from search_index where search_index match ${range.expression} and ${inRange(range)}
            order by rowid desc limit ${range.limit}
          )`.compile(db),
    })),
    all: template((window: Window) =>
      withDocuments(
        window,
        sql`select rowid as id, ${window.terms} as terms from search_index
          where search_index match ${window.expression} and ${inRange(window)} order by rowid desc limit ${sql.lit(WINDOW)}`,
      ),
    ),
    // `cross join` makes SQLite search for one term after the other. Rows before the newest WINDOW matches of a single term cannot be in the window.
    any: template((window: Window) =>
      withDocuments(
        window,
        sql`with lowest (id) as materialized (
            select coalesce(max((
              select rowid from search_index where search_index match term.value and ${inRange(window)}
              order by rowid desc limit 1 offset ${sql.lit(WINDOW - 1)}
            )), ${window.low}) from json_each(${window.expression}) as term
          )
          select search_index.rowid as id, sum(1 << term.key) as terms
          from lowest cross join json_each(${window.expression}) as term cross join search_index
          where search_index match term.value and search_index.rowid between lowest.id and ${window.high}
          group by search_index.rowid order by search_index.rowid desc limit ${sql.lit(WINDOW)}`,
      ),
    ),
  };
}

export function documentStatements(db: Kysely<Schema>) {
  return {
    tenant: template(({ tenant_id }: { tenant_id: string }) =>
      db.selectFrom('search_tenants').select(['number', 'documents']).where('tenant_id', '=', tenant_id),
    ),
    lowestSince: template(({ tenant_id, since, first }: { tenant_id: string; since: number; first: number }) =>
      db
        .selectFrom('search_documents')
        .select(eb => eb.fn.min<number | null>('id').as('lowest'))
        .where('tenant_id', '=', tenant_id)
        .where('created_at', '>=', since)
        .where('id', '>', first),
    ),
  };
}

function hitStatement(db: Kysely<Schema>) {
  return template(({ tenant_id, ids }: { tenant_id: string; ids: string }) => ({
    compile: () =>
      sql<StoredHit>`
          select d.id, d.session_id, d.message_id, d.created_at, s.title, s.parent_session_id, m.run_id,
            m.message ->> '$.role' as role, ${contentOf(INDEXED_UNITS)} as content
          from json_each(${ids}) as place
          cross join search_documents as d on d.id = place.value and d.tenant_id = ${tenant_id}
          join messages as m on m.tenant_id = d.tenant_id and m.id = d.message_id
          join sessions as s on s.tenant_id = d.tenant_id and s.id = d.session_id`.compile(db),
  }));
}
