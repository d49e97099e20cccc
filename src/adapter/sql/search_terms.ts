/** Converts a search into match expressions of FTS5, and names the rows and tokens by which a search reads one tenant, session or role only. */
import { createHash } from 'node:crypto';
import type { MessageSearch, SearchedRole } from '../../port/store/search';
import { toMatchExpression } from '../../utils/search_tokens';

/** Rows of `search_index` with low <= rowid <= high. */
export interface RowRange {
  low: number;
  high: number;
}

/** The rows of a tenant share their upper 20 bits. Tenants with the same bits share a range; the query compares the tenant as well. */
const ROWS_PER_TENANT = 2 ** 32;

export function rowsOfTenant(tenantId: string): RowRange {
  const digest = createHash('sha256').update(tenantId).digest();
  const low = (digest.readUInt32BE(0) >>> 12) * ROWS_PER_TENANT;
  return { low, high: low + ROWS_PER_TENANT - 1 };
}

/** Text of the column `scope`: a token for the session and one for the role. An id becomes hexadecimal: FTS5 would split and lower it. */
export const scopeOf = (sessionId: string, role: SearchedRole): string => `${sessionToken(sessionId)} ${roleToken(role)}`;

const sessionToken = (sessionId: string): string => `s${Buffer.from(sessionId).toString('hex')}`;
const roleToken = (role: SearchedRole): string => `r${role}`;

/**
 * Returns the terms of a query, all of which must match: words, "quoted words" and runs of Chinese characters. A term of one character matches
 * every word that begins with it; FTS5 is slow there, so such terms are left out when there are others, and at most one is used.
 */
export function requiredTerms(query: string): string[] {
  const expression = toMatchExpression(query, 'all', { lastIsPrefix: true });
  const terms = expression === undefined ? [] : expression.split(' AND ');
  const long = terms.filter(term => !isOneCharacter(term));
  return long.length > 0 ? long : terms.slice(0, 1).map(term => (/[a-z0-9]/.test(term) ? term.replace(' *', '') : term));
}

/** Returns the terms of which one is enough. */
export function optionalTerms(query: string): string[] {
  const expression = toMatchExpression(query, 'any');
  const terms = expression === undefined ? [] : expression.split(' OR ');
  const long = terms.filter(term => !isOneCharacter(term));
  return long.length > 0 ? long : terms.slice(0, 1);
}

/** A term like `"我" *`. Its matches are ranked by age only: relevance says nothing there and costs as much as the search itself. */
export const isOneCharacter = (term: string): boolean => /^".[\u{3099}\u{309a}]?" \*$/u.test(term);

/** Joins terms, and narrows them to the session and role of the search. */
export function toExpression(terms: readonly string[], mode: 'all' | 'any', { sessionId, exceptSessionId, role }: MessageSearch): string {
  const words = `tokens : (${terms.join(mode === 'all' ? ' AND ' : ' OR ')})`;
  const scopes = [...(sessionId === undefined ? [] : [sessionToken(sessionId)]), ...(role === undefined ? [] : [roleToken(role)])];
  const narrowed = [...scopes.map(token => `scope : "${token}"`), words].join(' AND ');
  return exceptSessionId === undefined ? narrowed : `(${narrowed}) NOT scope : "${sessionToken(exceptSessionId)}"`;
}
