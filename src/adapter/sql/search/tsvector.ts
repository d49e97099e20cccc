/**
 * Tokens of search_tokens.ts as values of Postgres' types tsvector and tsquery, written as text. The parser of Postgres is not used, because it finds
 * no words in Chinese. A mark is a lexeme that no text holds, such as the mark of a session. Tokens and marks carry the tenant: see tenant_tokens.ts.
 */
import type { SearchedRole } from '../../../port/store/search';
import { type SearchTerm, searchTokens } from '../../../utils/search_tokens';
import { roleToken, sessionToken, tenantPrefix, toTenantTerm } from './tenant_tokens';

/** Limits of the type: later tokens all stand at the last position, and a token has this many positions at most. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;

/** The tokens of a text of a tenant with their positions, and marks; undefined for a text without letters and digits. */
export function toTsvector(tenantId: string, text: string, marks: readonly string[] = []): string | undefined {
  const prefix = tenantPrefix(tenantId);
  const positions = new Map<string, number[]>();
  let position = 0;
  for (const token of searchTokens(text)) {
    position = Math.min(position + 1, MAX_POSITION);
    const known = positions.get(token.text);
    if (!known) positions.set(token.text, [position]);
    else if (known.length < MAX_POSITIONS) known.push(position);
  }
  if (position === 0) return undefined;
  return [...marks.map(quote), ...Array.from(positions, ([token, places]) => `${quote(prefix + token)}:${places.join()}`)].join(' ');
}

/** The query for texts of a tenant that hold all terms. */
export const toTsquery = (tenantId: string, terms: readonly SearchTerm[]): string =>
  terms.map(term => phraseQuery(toTenantTerm(tenantId, term))).join(' & ');

/** Narrows a query to texts with every mark of `marks`, and none of `without`. */
export const withMarks = (query: string, marks: readonly string[], without: readonly string[] = []): string =>
  [...marks.map(quote), ...without.map(mark => `!${quote(mark)}`), `(${query})`].join(' & ');

/** A mark begins with a sign that no token holds. */
export const sessionMark = (tenantId: string, sessionId: string): string => `#${sessionToken(tenantId, sessionId)}`;
export const roleMark = (tenantId: string, role: SearchedRole): string => `#${roleToken(tenantId, role)}`;

function phraseQuery({ tokens, isPrefix }: SearchTerm): string {
  const words = tokens.map((token, i) => `${quote(token)}${isPrefix && i === tokens.length - 1 ? ':*' : ''}`);
  return words.length === 1 ? words.join() : `(${words.join(' <-> ')})`;
}

/** Tokens hold letters, digits and marks of letters only, so they need no escape. */
const quote = (token: string): string => `'${token}'`;
