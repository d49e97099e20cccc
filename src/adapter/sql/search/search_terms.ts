/** The terms of a search in messages, and the rows in which one tenant is searched. */
import { type SearchTerm, searchTerms } from '../../../utils/search_tokens';

/**
 * Row numbers below belong to an older index, which knew no tenants; `search_upgrade.ts` removes it. The rows of tenant number n begin at
 * FIRST_ROW + n * ROWS_PER_TENANT. Row numbers stay below 2 ** 53, the largest whole number that JavaScript knows.
 */
export const FIRST_ROW = 2 ** 52;
const ROWS_PER_TENANT = 2 ** 32;

/** The messages of a tenant have the rows first + 1 to first + count, the oldest one first; deleted ones leave gaps. */
export interface TenantRows {
  first: number;
  count: number;
}

export const rowsOfTenant = ({ number, documents }: { number: number; documents: number }): TenantRows => ({
  first: FIRST_ROW + number * ROWS_PER_TENANT,
  count: documents,
});

/**
 * Returns the terms of a query, all of which must match: words, "quoted words" and runs of Chinese characters. A term of one character matches
 * every word that begins with it; the index is slow there, so such terms are left out when there are others, and at most one is used.
 */
export function requiredTerms(query: string): SearchTerm[] {
  const terms = searchTerms(query, 'all', { lastIsPrefix: true });
  const long = terms.filter(term => !isOneCharacter(term));
  return long.length > 0
    ? long
    : terms.slice(0, 1).map(term => (/[a-z0-9]/.test(term.tokens.join('')) ? { ...term, isPrefix: false } : term));
}

/** Returns the terms of a search in which one matching term is enough. */
export function optionalTerms(query: string): SearchTerm[] {
  const terms = searchTerms(query, 'any');
  const long = terms.filter(term => !isOneCharacter(term));
  return long.length > 0 ? long : terms.slice(0, 1);
}

/** The beginning of a word by one character. Its matches are ranked by age only: relevance says nothing there and costs as much as the search. */
export const isOneCharacter = ({ tokens, isPrefix }: SearchTerm): boolean =>
  isPrefix && tokens.length === 1 && /^.[\u{3099}\u{309a}]?$/su.test(tokens[0] ?? '');
