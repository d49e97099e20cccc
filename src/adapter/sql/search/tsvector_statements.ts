/** Statements of the search in messages over Postgres. */
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { MessageSearch, SearchedRole } from '../../../port/store/search';
import type { SearchTerm } from '../../../utils/search_tokens';
import { jsonItems } from '../base/dialect';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { copiesOf } from '../sessions/session_copy_table';
import {
  type CountedRange,
  documentStatements,
  isOfChat,
  type SearchStatements,
  type StoredHit,
  type Wanted,
  WINDOW,
  type Window,
  type WindowRange,
  type WindowRow,
} from './fts5_statements';
import { allTerms, MAX_TERMS } from './relevance';
import { roleMark, sessionMark, toTsquery, withMarks } from './tsvector';
import { readMessage } from './tsvector_indexing';

export function tsvectorStatements(db: Kysely<Schema>): SearchStatements {
  const { count, all, any } = matchStatements(db);
  return {
    count: (tenantId: string, term: SearchTerm, range: CountedRange) =>
      count({ ...range, tenant_id: tenantId, expression: toTsquery(tenantId, [term]) }),
    all: (tenantId: string, { terms, search }: Wanted, range: WindowRange): CompiledQuery<WindowRow> =>
      all({
        ...range,
        tenant_id: tenantId,
        terms: allTerms(terms.slice(0, MAX_TERMS)),
        expression: narrow(tenantId, terms, search),
      }),
    any: (tenantId: string, { terms, search }: Wanted, range: WindowRange): CompiledQuery<WindowRow> => {
      const expressions = terms.slice(0, MAX_TERMS).map(term => narrow(tenantId, [term], search));
      return any({ ...range, tenant_id: tenantId, terms: 0, expression: JSON.stringify(expressions) });
    },
    ...documentStatements(db),
    hits: hitStatement(db),
    decodeHit: ({ message = '{}', ...hit }) => {
      const { role, content } = readMessage(message);
      return { ...hit, role: role as SearchedRole, content };
    },
  };
}

function narrow(tenantId: string, terms: readonly SearchTerm[], { sessionId, exceptSessionId, role }: MessageSearch): string {
  const marks = [
    ...(sessionId === undefined ? [] : [sessionMark(tenantId, sessionId)]),
    ...(role === undefined ? [] : [roleMark(tenantId, role)]),
  ];
  return withMarks(toTsquery(tenantId, terms), marks, exceptSessionId === undefined ? [] : [sessionMark(tenantId, exceptSessionId)]);
}

function matchStatements(db: Kysely<Schema>) {
  const isShown = (window: Window) =>
    sql`case when d.created_at >= ${window.since}::bigint and d.created_at < ${window.until}::bigint and ${isOfChat(window)} and d.is_child <= ${window.children}
      and d.session_id not in ${copiesOf(db, window.tenant_id)} then d.created_at end as "createdAt"`;
  return {
    count: template((range: CountedRange & { tenant_id: string; expression: string }) => ({
      compile: () =>
        sql<{ matches: number; lowest: number | null }>`
          select count(*) as matches, min(id) as lowest from (
            select id from search_documents
            where tenant_id = ${range.tenant_id} and tokens @@ ${range.expression}::tsquery
              and id between ${range.low}::bigint and ${range.high}::bigint
            order by id desc limit ${range.limit}
          ) as newest`.compile(db),
    })),
    all: template((window: Window) => ({
      compile: () =>
        sql<WindowRow>`
          select d.id, ${window.terms}::bigint as terms, d.length, d.counts, ${isShown(window)} from search_documents as d
          where d.tenant_id = ${window.tenant_id} and d.tokens @@ ${window.expression}::tsquery
            and d.id between ${window.low}::bigint and ${window.high}::bigint
          order by d.id desc limit ${sql.lit(WINDOW)}`.compile(db),
    })),
    any: template((window: Window) => ({
      compile: () =>
        sql<WindowRow>`
          with found as materialized (
            select d.id, sum(1::bigint << (place.key - 1)::int) as terms
            from ${jsonItems(db, window.expression)} join search_documents as d on d.tokens @@ place.value::tsquery
            where d.tenant_id = ${window.tenant_id} and d.id between ${window.low}::bigint and ${window.high}::bigint
            group by d.id order by d.id desc limit ${sql.lit(WINDOW)}
          )
          select d.id, found.terms, d.length, d.counts, ${isShown(window)} from found join search_documents as d on d.id = found.id
          order by d.id desc`.compile(db),
    })),
  };
}

function hitStatement(db: Kysely<Schema>) {
  return template(({ tenant_id, ids }: { tenant_id: string; ids: string }) => ({
    compile: () =>
      sql<StoredHit>`
        select d.id, d.session_id, d.message_id, d.created_at, s.title, s.parent_session_id, m.run_id, m.message
        from ${jsonItems(db, ids)}
        join search_documents as d on d.id = place.value::bigint and d.tenant_id = ${tenant_id}
        join messages as m on m.tenant_id = d.tenant_id and m.id = d.message_id
        join sessions as s on s.tenant_id = d.tenant_id and s.id = d.session_id`.compile(db),
  }));
}
