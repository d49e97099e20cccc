/** Match expressions of FTS5. Its tables have `tokenize = 'ascii'`, which splits at spaces and keeps all non-ASCII characters. */
import type { MessageSearch } from '../../../port/store/search';
import type { SearchTerm } from '../../../utils/search_tokens';
import { roleToken, sessionToken, toTenantTerm } from './tenant_tokens';

/** Tokens hold letters, digits and marks only, so they need no escape. */
export const toPhrase = ({ tokens, isPrefix }: SearchTerm): string => `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`;

/** Joins terms of a tenant to one expression; undefined without terms. */
export function toMatch(tenantId: string, terms: readonly SearchTerm[], mode: 'all' | 'any'): string | undefined {
  const phrases = terms.map(term => toPhrase(toTenantTerm(tenantId, term)));
  return phrases.length === 0 ? undefined : phrases.join(mode === 'all' ? ' AND ' : ' OR ');
}

type Scope = Pick<MessageSearch, 'sessionId' | 'exceptSessionId' | 'role'>;

/** Returns the expression for messages of a tenant that hold all terms, of one session and role where the search names them. */
export function toMessageMatch(tenantId: string, terms: readonly SearchTerm[], { sessionId, exceptSessionId, role }: Scope = {}): string {
  const words = `tokens : (${toMatch(tenantId, terms, 'all') ?? '""'})`;
  const scopes = [
    ...(sessionId === undefined ? [] : [sessionToken(tenantId, sessionId)]),
    ...(role === undefined ? [] : [roleToken(tenantId, role)]),
  ];
  const narrowed = [...scopes.map(token => `scope : "${token}"`), words].join(' AND ');
  return exceptSessionId === undefined ? narrowed : `(${narrowed}) NOT scope : "${sessionToken(tenantId, exceptSessionId)}"`;
}
