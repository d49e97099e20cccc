/** Searches messages: finds matches in the index, ranks a window of the newest ones, and reads the messages of one page. */
import { type Kysely, sql } from 'kysely';
import type { Page, PageRequest } from '../../port/store/page';
import type { MessageHit, MessageSearch, SearchedRole } from '../../port/store/search';
import { foreignCursor, packCursor, unpackCursor } from './cursor';
import { type Runner, template } from './query_template';
import type { Schema } from './schema';
import { contentOf, INDEXED_UNITS } from './search_indexing';
import { isOneCharacter, optionalTerms, type RowRange, requiredTerms, rowsOfTenant, toExpression } from './search_terms';

/** Matches that are ranked together: the cost of a page does not depend on the number of all matches. */
const WINDOW = 3_000;

/** Windows that one page reads at most, when filters leave nothing of them. */
const MAX_WINDOWS = 4;

/** A place in the results: a window and how much of it was given out. */
interface Place {
  mode: 'all' | 'any';
  /** Highest row of the window. */
  high: number;
  /** The last row that was given out, and the number of rows up to it. */
  last: number;
  given: number;
  /** Time of the first page: the ranking of later pages uses it too. */
  now: number;
}

interface Plan {
  tenantId: string;
  search: MessageSearch;
  terms: readonly string[];
  expression: string;
  /** Lowest row that can match. */
  low: number;
}

interface Ranking {
  expression: string;
  low: number;
  high: number;
  tenant_id: string;
  since: number;
  /** 1: messages of child sessions too. */
  children: 0 | 1;
  now: number;
  last: number;
  given: number;
  limit: number;
}

/** Every row describes its window too: its lowest row and the number of its matches. */
interface WindowRow {
  lowest: number;
  matches: number;
  /** Null in the only row of a window of which nothing is left. */
  id: number | null;
}

interface HitRow extends WindowRow {
  id: number;
  place: number;
  score: number;
  session_id: string;
  parent_session_id: string | null;
  title: string;
  run_id: string;
  message_id: string;
  role: SearchedRole;
  content: string;
  created_at: number;
}

export class SearchTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    this.statements = statements(db);
  }

  async search(runner: Runner, tenantId: string, search: MessageSearch, page: PageRequest): Promise<Page<MessageHit>> {
    const rows = rowsOfTenant(tenantId);
    if (page.cursor !== undefined) return this.readPage(runner, { tenantId, search, rows }, decodePlace(page.cursor, rows), page.limit);
    const start = { high: rows.high, last: 0, given: 0, now: search.now };
    const found = await this.readPage(runner, { tenantId, search, rows }, { ...start, mode: 'all' }, page.limit);
    if (found.data.length > 0 || found.nextCursor !== undefined) return found;
    return this.readPage(runner, { tenantId, search, rows }, { ...start, mode: 'any' }, page.limit);
  }

  private async readPage(
    runner: Runner,
    { rows, ...request }: { tenantId: string; search: MessageSearch; rows: RowRange },
    place: Place,
    limit: number,
  ): Promise<Page<MessageHit>> {
    const { query } = request.search;
    const terms = place.mode === 'all' ? requiredTerms(query) : await this.rareTerms(runner, optionalTerms(query), rows);
    const low = Math.max(rows.low, await this.lowestSince(runner, request));
    if (terms.length === 0) return { data: [] };
    const plan = { ...request, terms, low, expression: toExpression(terms, place.mode, request.search) };
    const data: MessageHit[] = [];
    let next: Place | undefined = place;
    for (let i = 0; next && data.length < limit && i < MAX_WINDOWS; i++) next = await this.readWindow(runner, plan, next, { data, limit });
    return next ? { data, nextCursor: encodePlace(next) } : { data };
  }

  /** Adds the next hits of the window to `data`, at most `limit`. Returns the place after them, undefined at the end of all matches. */
  private async readWindow(
    runner: Runner,
    plan: Plan,
    place: Place,
    { data, limit }: { data: MessageHit[]; limit: number },
  ): Promise<Place | undefined> {
    const wanted = limit - data.length;
    const ranking: Ranking = {
      expression: plan.expression,
      low: plan.low,
      high: place.high,
      tenant_id: plan.tenantId,
      since: plan.search.since ?? 0,
      children: plan.search.sessionId === undefined ? 0 : 1,
      now: place.now,
      last: place.last,
      given: place.given,
      limit: wanted + 1,
    };
    const rank = plan.terms.every(isOneCharacter) ? this.statements.byAge : this.statements.byRelevance;
    const rows = await runner.rows(rank(ranking));
    const hits = rows.filter(isHit);
    const shown = hits.slice(0, wanted);
    data.push(...shown.map(toHit));
    const last = shown.at(-1);
    if (hits.length > wanted && last) return { ...place, last: last.id, given: last.place };
    const [window] = rows;
    return !window || window.matches < WINDOW ? undefined : { ...place, high: window.lowest - 1, last: 0, given: 0 };
  }

  /**
   * Keeps the rarest terms, as many as have together no more matches than a window holds: words like "the" would fill it with the newest
   * messages. Keeps all when every one is common.
   */
  private async rareTerms(runner: Runner, terms: readonly string[], { low, high }: RowRange): Promise<readonly string[]> {
    const counted: { term: string; matches: number }[] = [];
    for (const term of terms) {
      const [row] = await runner.rows(this.statements.count({ expression: `tokens : ${term}`, low, high }));
      if (row && row.matches > 0) counted.push({ term, matches: row.matches });
    }
    counted.sort((a, b) => a.matches - b.matches);
    let sum = 0;
    const rare = counted.filter(({ matches }) => {
      sum += matches;
      return sum <= WINDOW;
    });
    return (rare.length > 0 ? rare : counted).map(({ term }) => term);
  }

  /** Returns the lowest row of a message since the time of the search; 0 without such a time. */
  private async lowestSince(runner: Runner, { tenantId, search }: { tenantId: string; search: MessageSearch }): Promise<number> {
    if (search.since === undefined) return 0;
    const [row] = await runner.rows(this.statements.lowestSince({ tenant_id: tenantId, since: search.since }));
    return row?.lowest ?? Number.MAX_SAFE_INTEGER;
  }
}

const RELEVANCE = sql.raw('-bm25(search_index, 0.0, 1.0)');
const MONTH_MS = 30 * 24 * 3_600_000;

function statements(db: Kysely<Schema>) {
  const matches = (range: { expression: string; low: number; high: number }) =>
    sql`from search_index where search_index match ${range.expression} and rowid between ${range.low} and ${range.high}
      order by rowid desc limit ${sql.lit(WINDOW)}`;
  return {
    count: template((range: { expression: string; low: number; high: number }) => ({
      compile: () => sql<{ matches: number }>`select count(*) as matches from (select rowid ${matches(range)})`.compile(db),
    })),
    lowestSince: template(({ tenant_id, since }: { tenant_id: string; since: number }) =>
      db
        .selectFrom('search_documents')
        .select(eb => eb.fn.min<number | null>('id').as('lowest'))
        .where('tenant_id', '=', tenant_id)
        .where('created_at', '>=', since),
    ),
    byRelevance: template(rankingQuery(db, RELEVANCE, matches)),
    byAge: template(rankingQuery(db, sql.raw('1.0'), matches)),
  };
}

/** A new message counts up to twice as much as an old one; after 30 days one and a half times. */
function rankingQuery(db: Kysely<Schema>, relevance: ReturnType<typeof sql.raw>, matches: (range: Ranking) => ReturnType<typeof sql>) {
  return (ranking: Ranking) => ({
    compile: () =>
      sql<HitRow | WindowRow>`
        with hits as materialized (select rowid as id, ${relevance} as relevance ${matches(ranking)}),
        scored as (
          select d.id, relevance * (1 + 1.0 / (1 + max(0, ${ranking.now} - created_at) / ${sql.lit(MONTH_MS)}.0)) as score
          from hits join search_documents as d on d.id = hits.id
          where d.tenant_id = ${ranking.tenant_id} and created_at >= ${ranking.since} and is_child <= ${ranking.children}
        ),
        ranked as materialized (select id, score, row_number() over (order by score desc, id desc) as place from scored),
        page as materialized (
          select * from ranked where place > coalesce((select place from ranked where id = ${ranking.last}), ${ranking.given})
          order by place limit ${ranking.limit}
        )
        select w.lowest, w.matches, d.id as id, page.place as place, page.score as score, d.session_id as session_id,
          d.message_id as message_id, d.created_at as created_at, s.title as title, s.parent_session_id as parent_session_id, m.run_id as run_id,
          m.message ->> '$.role' as role, ${contentOf(INDEXED_UNITS)} as content
        from (select min(id) as lowest, count(*) as matches from hits) as w
        left join (page
          join search_documents as d on d.id = page.id
          join messages as m on m.tenant_id = d.tenant_id and m.id = d.message_id
          join sessions as s on s.tenant_id = d.tenant_id and s.id = d.session_id)
        order by page.place`.compile(db),
  });
}

const isHit = (row: HitRow | WindowRow): row is HitRow => row.id !== null;

function toHit(row: HitRow): MessageHit {
  return {
    sessionId: row.session_id,
    ...(row.parent_session_id !== null && { parentSessionId: row.parent_session_id }),
    title: row.title,
    runId: row.run_id,
    messageId: row.message_id,
    role: row.role,
    text: row.content,
    createdAt: row.created_at,
    score: row.score,
  };
}

const encodePlace = ({ mode, high, last, given, now }: Place): string => packCursor(['search', mode, high, last, given, now]);

function decodePlace(cursor: string, rows: RowRange): Place {
  const parts = unpackCursor(cursor);
  if (!Array.isArray(parts) || parts.length !== 6) throw foreignCursor();
  const [list, mode, ...numbers] = parts as unknown[];
  if (list !== 'search' || (mode !== 'all' && mode !== 'any') || !numbers.every(isCount)) throw foreignCursor();
  const [high = 0, last = 0, given = 0, now = 0] = numbers;
  return { mode, high: Math.min(high, rows.high), last, given, now };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
