/** Searches messages: finds matches in the index, ranks a window of the newest ones, and reads the messages of one page. */
import type { Kysely } from 'kysely';
import type { Page, PageRequest } from '../../../port/store/page';
import type { MessageHit, MessageSearch } from '../../../port/store/search';
import type { SearchTerm } from '../../../utils/search_tokens';
import { foreignCursor, packCursor, unpackCursor } from '../base/cursor';
import { isPostgres } from '../base/dialect';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { type HitRow, type SearchStatements, searchStatements, WINDOW, type WindowRow } from './fts5_statements';
import { MAX_TERMS, type WeightedTerm, weighTerm } from './relevance';
import { type RankedMatch, rankWindow } from './search_ranking';
import { isOneCharacter, optionalTerms, requiredTerms, rowsOfTenant, type TenantRows } from './search_terms';
import { tsvectorStatements } from './tsvector_statements';

/** The most windows that one page reads when filters leave nothing of their matches. */
const MAX_WINDOWS = 4;

/** The most terms whose document frequency is counted in a search for all terms. */
const MAX_WEIGHED = 12;

/** When every term is common, this many of the rarest terms are searched. */
const MAX_COMMON = 6;

/** Matches that all terms of a search count together, and matches that each term counts at least, if it has so many. */
const COUNTED_TOGETHER = 6_000;
const COUNTED_ALONE = 500;

/**
 * A place in the results: a window of rows, and how far the matches in the window were given out. Row numbers count from the first row of the tenant.
 */
interface Place {
  mode: 'all' | 'any';
  /** The newest row when the first page was read: messages that come later do not shift later pages. */
  top: number;
  /** Highest row of the window. */
  high: number;
  /** The last row that was given out, and the number of rows up to that row. */
  last: number;
  given: number;
  /** Time of the first page, which the ranking of later pages uses too. */
  now: number;
}

interface Request {
  tenantId: string;
  search: MessageSearch;
  rows: TenantRows;
}

interface Plan extends Request {
  mode: Place['mode'];
  terms: readonly SearchTerm[];
  /** Reads the weights of the terms once; undefined: the age alone counts. */
  weights: () => Promise<readonly WeightedTerm[] | undefined>;
  /** Lowest row that can match. */
  low: number;
}

/** `matches`: number of texts of the tenant that hold the term. */
type CountedTerm = SearchTerm & { matches: number };

export class SearchTable extends sqlTable(statements) {
  async find(tenantId: string, search: MessageSearch, page: PageRequest): Promise<Page<MessageHit>> {
    const next = page.cursor === undefined ? undefined : decodePlace(page.cursor);
    const [tenant] = await this.runner.rows(this.statements.tenant({ tenant_id: tenantId }));
    if (!tenant) return { data: [] };
    const rows = rowsOfTenant(tenant);
    const request = { tenantId, search, rows };
    if (next) return this.readPage(request, within(next, rows), page.limit);
    const start = { top: rows.count, high: rows.count, last: 0, given: 0, now: search.now };
    const found = await this.readPage(request, { ...start, mode: 'all' }, page.limit);
    if (found.data.length > 0 || found.nextCursor !== undefined) return found;
    return this.readPage(request, { ...start, mode: 'any' }, page.limit);
  }

  private async readPage(request: Request, place: Place, limit: number): Promise<Page<MessageHit>> {
    const plan = await this.planSearch(request, place);
    if (plan.terms.length === 0) return { data: [] };
    const ranked: RankedMatch[] = [];
    let next: Place | undefined = place;
    for (let i = 0; next && ranked.length < limit && i < MAX_WINDOWS; i++) next = await this.readWindow(plan, next, { ranked, limit });
    const data = await this.readHits(request.tenantId, ranked);
    return next ? { data, nextCursor: encodePlace(next) } : { data };
  }

  private async planSearch(request: Request, { mode, top }: Place): Promise<Plan> {
    const { query } = request.search;
    const terms = mode === 'all' ? requiredTerms(query) : await this.rareTerms(request, { terms: optionalTerms(query), top });
    const low = Math.max(request.rows.first + 1, await this.lowestSince(request));
    let weights: ReturnType<Plan['weights']> | undefined;
    return {
      ...request,
      mode,
      terms,
      low,
      weights: () => {
        weights ??= this.weigh(request, { terms, top });
        return weights;
      },
    };
  }

  /**
   * Adds the next matches of the window to `ranked`, up to `limit`. Returns the place after them, undefined at the end of all matches.
   */
  private async readWindow(
    { rows, ...plan }: Plan,
    place: Place,
    { ranked, limit }: { ranked: RankedMatch[]; limit: number },
  ): Promise<Place | undefined> {
    const found = await this.readMatches({ rows, ...plan }, place);
    const matches = found.filter(isShown);
    const all = rankWindow(matches, matches.length > 0 ? await plan.weights() : undefined, place.now);
    const after = all.findIndex(({ id }) => id === rows.first + place.last);
    const begin = after === -1 ? place.given : after + 1;
    const shown = all.slice(begin, begin + limit - ranked.length);
    ranked.push(...shown);
    const last = shown.at(-1);
    const given = begin + shown.length;
    if (given < all.length && last) return { ...place, last: last.id - rows.first, given };
    const lowest = found.at(-1);
    if (!lowest || found.length < WINDOW) return undefined;
    return { ...place, high: lowest.id - rows.first - 1, last: 0, given: 0 };
  }

  private readMatches({ tenantId, search, rows, terms, mode, low }: Plan, place: Place): Promise<WindowRow[]> {
    const window = {
      low,
      high: rows.first + place.high,
      since: search.since ?? 0,
      until: search.until ?? Number.MAX_SAFE_INTEGER,
      ...chatOf(search),
      children: search.sessionId === undefined ? (0 as const) : (1 as const),
    };
    return this.runner.rows(this.statements[mode](tenantId, { terms, search }, window));
  }

  private async readHits(tenantId: string, ranked: readonly RankedMatch[]): Promise<MessageHit[]> {
    if (ranked.length === 0) return [];
    const rows = await this.runner.rows(this.statements.hits({ tenant_id: tenantId, ids: JSON.stringify(ranked.map(({ id }) => id)) }));
    const byId = new Map(rows.map(row => [row.id, this.statements.decodeHit(row)]));
    return ranked.flatMap(({ id, score }) => {
      const row = byId.get(id);
      return row ? toHit(row, score) : [];
    });
  }

  /**
   * Keeps the rarest terms, as many as have together no more matches than a window holds: words like "the" would fill the window with the newest
   * messages. When every term is common, keeps MAX_COMMON of the rarest.
   */
  private async rareTerms(request: Request, { terms, top }: { terms: readonly SearchTerm[]; top: number }) {
    const counted: CountedTerm[] = [];
    for (const term of terms) {
      const matches = await this.countMatches(request, { term, top, limit: countLimit(terms) });
      if (matches > 0) counted.push({ ...term, matches });
    }
    counted.sort((a, b) => a.matches - b.matches);
    let sum = 0;
    const rare = counted.filter(({ matches }) => {
      sum += matches;
      return sum <= WINDOW;
    });
    return rare.length > 0 ? rare : counted.slice(0, MAX_COMMON);
  }

  private async weigh(request: Request, { terms, top }: { terms: readonly (SearchTerm | CountedTerm)[]; top: number }) {
    if (terms.every(isOneCharacter)) return undefined;
    const weights: WeightedTerm[] = [];
    const weighed = terms.slice(0, 'matches' in (terms[0] ?? {}) ? MAX_TERMS : MAX_WEIGHED);
    const limit = countLimit(weighed);
    for (const term of weighed) {
      // One term has one weight, so its frequency does not change the order.
      const isCounted = 'matches' in term || terms.length === 1;
      const matches = isCounted ? ('matches' in term ? term.matches : 0) : await this.countMatches(request, { term, top, limit });
      weights.push(weighTerm(term, { matches, total: top }));
    }
    return weights;
  }

  /** Counts a common term in its newest matches, and assumes that older messages hold the term as often. */
  private async countMatches(
    { tenantId, rows }: Request,
    { term, top, limit }: { term: SearchTerm; top: number; limit: number },
  ): Promise<number> {
    const range = { low: rows.first + 1, high: rows.first + top, limit };
    const [row] = await this.runner.rows(this.statements.count(tenantId, term, range));
    if (!row || row.lowest === null || row.matches < limit) return row?.matches ?? 0;
    return Math.round((row.matches * top) / (range.high - row.lowest + 1));
  }

  /** Returns the lowest row of a message since the time of the search; 0 without such a time. */
  private async lowestSince({ tenantId, search, rows }: Request): Promise<number> {
    if (search.since === undefined) return 0;
    const values = { tenant_id: tenantId, since: search.since, first: rows.first };
    const [row] = await this.runner.rows(this.statements.lowestSince(values));
    return row?.lowest ?? Number.MAX_SAFE_INTEGER;
  }
}

/** Conditions of a search for the chat of a message. */
function chatOf({ agent, project, archived }: MessageSearch) {
  const isNarrow = [agent, project, archived].some(value => value !== undefined);
  return { agent, project, archived: archived === undefined ? undefined : toFlag(archived), isNarrow: toFlag(isNarrow) };
}

const toFlag = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** The most matches that are counted for each of the terms of a search. */
const countLimit = (terms: readonly unknown[]): number =>
  Math.min(WINDOW, Math.max(COUNTED_ALONE, Math.ceil(COUNTED_TOGETHER / terms.length)));

const isShown = (row: WindowRow): row is WindowRow & { createdAt: number } => row.createdAt !== null;

function toHit(row: HitRow, score: number): MessageHit {
  return {
    sessionId: row.session_id,
    parentSessionId: row.parent_session_id ?? undefined,
    title: row.title,
    runId: row.run_id,
    messageId: row.message_id,
    role: row.role,
    text: row.content,
    createdAt: row.created_at,
    score,
  };
}

const encodePlace = ({ mode, top, high, last, given, now }: Place): string => packCursor(['search', mode, top, high, last, given, now]);

function decodePlace(cursor: string): Place {
  const parts = unpackCursor(cursor);
  if (!Array.isArray(parts) || parts.length !== 7) throw foreignCursor();
  const [list, mode, ...numbers] = parts as unknown[];
  if (list !== 'search' || (mode !== 'all' && mode !== 'any') || !numbers.every(isCount)) throw foreignCursor();
  const [top = 0, high = 0, last = 0, given = 0, now = 0] = numbers;
  return { mode, top, high, last, given, now };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** A cursor is text from a client, so its rows are limited to the tenant's own. */
const within = (place: Place, { count }: TenantRows): Place => ({
  ...place,
  top: Math.min(place.top, count),
  high: Math.min(place.high, count),
});

function statements(db: Kysely<Schema>): SearchStatements {
  return isPostgres(db) ? tsvectorStatements(db) : searchStatements(db);
}
