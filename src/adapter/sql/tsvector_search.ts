/** Searches messages in Postgres: ranks a window of the newest matches, then the next window. */
import { type Kysely, sql } from 'kysely';
import type { Page, PageRequest } from '../../port/store/page';
import type { MessageHit, MessageSearch, SearchedRole } from '../../port/store/search';
import type { SearchTerm } from '../../utils/search_tokens';
import { foreignCursor, packCursor, unpackCursor } from './cursor';
import { type Runner, template } from './query_template';
import type { Schema } from './schema';
import { optionalTerms, requiredTerms } from './search_terms';
import { roleMark, sessionMark, tenantMark, toTsquery, withMarks } from './tsvector';
import { readMessage } from './tsvector_indexing';

/** Matches that are ranked together: the cost of a page does not depend on the number of all matches. */
const WINDOW = 3_000;
/** Windows that one page reads at most, when filters leave nothing of them. */
const MAX_WINDOWS = 4;
const MONTH_MS = 30 * 24 * 3_600_000;

/** A place in the results: the newest row that counts, the highest row of a window, and how much of it was given out. */
interface Place {
  mode: 'all' | 'any';
  high: number;
  /** The last row that was given out, and the number of rows up to it. */
  last: number;
  given: number;
  /** Time of the first page: the ranking of later pages uses it too. */
  now: number;
}

interface Window {
  tenant_id: string;
  match: string;
  words: string;
  high: number;
  since: number;
  children: 0 | 1;
  now: number;
}

/** `is_shown`: a message of a child session has none. */
interface RankedRow {
  id: number;
  score: number;
  is_shown: boolean;
}

interface HitRow {
  id: number;
  session_id: string;
  message_id: string;
  created_at: number;
  title: string;
  parent_session_id: string | null;
  run_id: string;
  message: string;
}

/** Above every row. */
const NEWEST = Number.MAX_SAFE_INTEGER;

export class TsvectorSearch {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    this.statements = statements(db);
  }

  async search(runner: Runner, tenantId: string, search: MessageSearch, page: PageRequest): Promise<Page<MessageHit>> {
    const start = { high: NEWEST, last: 0, given: 0, now: search.now };
    const request = { tenantId, search, limit: page.limit };
    if (page.cursor !== undefined) return this.readPage(runner, request, decodePlace(page.cursor));
    const found = await this.readPage(runner, request, { ...start, mode: 'all' });
    if (found.data.length > 0 || found.nextCursor !== undefined) return found;
    return this.readPage(runner, request, { ...start, mode: 'any' });
  }

  private async readPage(
    runner: Runner,
    { tenantId, search, limit }: { tenantId: string; search: MessageSearch; limit: number },
    place: Place,
  ): Promise<Page<MessageHit>> {
    const phrases = await this.phrases(runner, tenantId, search.query, place.mode);
    if (phrases.length === 0) return { data: [] };
    const words = toTsquery(phrases, place.mode);
    const window = {
      tenant_id: tenantId,
      words,
      match: narrow(words, tenantId, search),
      since: search.since ?? 0,
      children: search.sessionId === undefined ? (0 as const) : (1 as const),
    };
    const ranked: RankedRow[] = [];
    let next: Place | undefined = place;
    for (let i = 0; next && ranked.length < limit && i < MAX_WINDOWS; i++) {
      next = await this.readWindow(runner, { ...window, high: next.high, now: next.now }, next, { ranked, limit });
    }
    const data = await this.readHits(runner, tenantId, ranked);
    return next ? { data, nextCursor: packCursor(['search', next.mode, next.high, next.last, next.given, next.now]) } : { data };
  }

  /** Adds the next rows of the window to `ranked`, up to `limit`. Returns the place after them, undefined at the end of all matches. */
  private async readWindow(
    runner: Runner,
    window: Window,
    place: Place,
    { ranked, limit }: { ranked: RankedRow[]; limit: number },
  ): Promise<Place | undefined> {
    const matches = await runner.rows(this.statements.window(window));
    const all = matches.filter(row => row.is_shown).sort((a, b) => b.score - a.score || b.id - a.id);
    const after = all.findIndex(({ id }) => id === place.last);
    const begin = after === -1 ? place.given : after + 1;
    const shown = all.slice(begin, begin + limit - ranked.length);
    ranked.push(...shown);
    const last = shown.at(-1);
    const given = begin + shown.length;
    if (given < all.length && last) return { ...place, last: last.id, given };
    if (matches.length < WINDOW) return undefined;
    const lowest = matches.reduce((low, { id }) => Math.min(low, id), NEWEST);
    return { ...place, high: lowest - 1, last: 0, given: 0 };
  }

  private async readHits(runner: Runner, tenantId: string, ranked: readonly RankedRow[]): Promise<MessageHit[]> {
    if (ranked.length === 0) return [];
    const rows = await runner.rows(this.statements.hits({ tenant_id: tenantId, ids: JSON.stringify(ranked.map(({ id }) => id)) }));
    const byId = new Map(rows.map(row => [row.id, row]));
    return ranked.flatMap(({ id, score }) => {
      const row = byId.get(id);
      return row ? toHit(row, score) : [];
    });
  }

  /**
   * Of the words of which one is enough, the rarest, as many as have together no more matches than a window holds: words like "the" would fill
   * it with the newest messages. All of them when every one is common.
   */
  private async phrases(runner: Runner, tenantId: string, query: string, mode: Place['mode']): Promise<SearchTerm[]> {
    if (mode === 'all') return requiredTerms(query);
    const counted: { phrase: SearchTerm; matches: number }[] = [];
    for (const phrase of optionalTerms(query)) {
      const match = withMarks(toTsquery([phrase], 'all'), [tenantMark(tenantId)]);
      const [row] = await runner.rows(this.statements.count({ tenant_id: tenantId, match }));
      if (row && row.matches > 0) counted.push({ phrase, matches: row.matches });
    }
    counted.sort((a, b) => a.matches - b.matches);
    let sum = 0;
    const rare = counted.filter(({ matches }) => {
      sum += matches;
      return sum <= WINDOW;
    });
    return (rare.length > 0 ? rare : counted).map(({ phrase }) => phrase);
  }
}

function narrow(words: string, tenantId: string, { sessionId, exceptSessionId, role }: MessageSearch): string {
  const marks = [tenantMark(tenantId)];
  if (sessionId !== undefined) marks.push(sessionMark(sessionId));
  if (role !== undefined) marks.push(roleMark(role));
  return withMarks(words, marks, exceptSessionId === undefined ? [] : [sessionMark(exceptSessionId)]);
}

/**
 * A new message counts up to twice as much as an old one; after 30 days one and a half times. The score of a message depends on nothing but its
 * own words and time: it tells nothing of other tenants.
 */
function statements(db: Kysely<Schema>) {
  return {
    count: template((term: { tenant_id: string; match: string }) => ({
      compile: () =>
        sql<{ matches: number }>`select count(*) as matches from (
          select 1 from search_documents where tenant_id = ${term.tenant_id} and tokens @@ ${term.match}::tsquery limit ${sql.lit(WINDOW)}
        ) as found`.compile(db),
    })),
    window: template((window: Window) => ({
      compile: () =>
        sql<RankedRow>`select id, is_child <= ${window.children} as is_shown,
            ts_rank(tokens, ${window.words}::tsquery, 1)
              * (1 + 1.0 / (1 + greatest(0, ${window.now}::bigint - created_at) / ${sql.lit(MONTH_MS)}.0)) as score
          from (
            select id, is_child, tokens, created_at from search_documents
            where tenant_id = ${window.tenant_id} and tokens @@ ${window.match}::tsquery and id <= ${window.high} and created_at >= ${window.since}
            order by id desc limit ${sql.lit(WINDOW)}
          ) as newest`.compile(db),
    })),
    hits: template((wanted: { tenant_id: string; ids: string }) => ({
      compile: () =>
        sql<HitRow>`select d.id, d.session_id, d.message_id, d.created_at, s.title, s.parent_session_id, m.run_id, m.message
          from jsonb_array_elements_text(${wanted.ids}::jsonb) as place
          join search_documents as d on d.id = place.value::bigint and d.tenant_id = ${wanted.tenant_id}
          join messages as m on m.tenant_id = d.tenant_id and m.id = d.message_id
          join sessions as s on s.tenant_id = d.tenant_id and s.id = d.session_id`.compile(db),
    })),
  };
}

function toHit(row: HitRow, score: number): MessageHit {
  const { role, content } = readMessage(row.message);
  return {
    sessionId: row.session_id,
    ...(row.parent_session_id !== null && { parentSessionId: row.parent_session_id }),
    title: row.title,
    runId: row.run_id,
    messageId: row.message_id,
    role: role as SearchedRole,
    text: content,
    createdAt: row.created_at,
    score,
  };
}

function decodePlace(cursor: string): Place {
  const parts = unpackCursor(cursor);
  if (!Array.isArray(parts) || parts.length !== 6) throw foreignCursor();
  const [list, mode, ...numbers] = parts as unknown[];
  if (list !== 'search' || (mode !== 'all' && mode !== 'any') || !numbers.every(isCount)) throw foreignCursor();
  const [high = 0, last = 0, given = 0, now = 0] = numbers;
  return { mode, high, last, given, now };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
