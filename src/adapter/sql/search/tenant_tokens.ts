/**
 * Search tokens as the indexes hold them: each token begins with its tenant. So the list of matches of a word and the number of matches concern one
 * tenant, and texts of other tenants change neither the result of a search nor its time. Independent of the search engine.
 */
import { createHash } from 'node:crypto';
import type { SearchedRole } from '../../../port/store/search';
import { type SearchTerm, searchTokens } from '../../../utils/search_tokens';
import { packCounts } from './word_counts';

const PREFIX_LENGTH = 13;

/** 64 bits of a hash as 13 lower-case letters and digits. All prefixes have one length, so no token of a tenant begins like one of another. */
export function tenantPrefix(tenantId: string): string {
  return createHash('sha256').update(tenantId).digest().readBigUInt64BE().toString(36).padStart(PREFIX_LENGTH, '0');
}

export interface IndexedText {
  /** Tokens of the tenant in the order of the text, joined by spaces; empty for a text without letters and digits. */
  tokens: string;
  /** Number of tokens. */
  length: number;
  /** See `word_counts.ts`. Null when no word is repeated. */
  counts: Uint8Array | null;
}

/** Splits a text into the tokens of its tenant, as the search indexes store them. */
export function toIndexedText(tenantId: string, text: string): IndexedText {
  const prefix = tenantPrefix(tenantId);
  const words = searchTokens(text).map(token => token.text);
  return { tokens: words.map(word => prefix + word).join(' '), length: words.length, counts: packCounts(words) };
}

/** Returns the term of a search with the tokens of the tenant, so that it matches texts of this tenant only. */
export function toTenantTerm(tenantId: string, { tokens, isPrefix }: SearchTerm): SearchTerm {
  const prefix = tenantPrefix(tenantId);
  return { tokens: tokens.map(token => prefix + token), isPrefix };
}

/** Token of all messages of a session. The session id is written in hexadecimal, because an index would split the id and change its case. */
export const sessionToken = (tenantId: string, sessionId: string): string =>
  `${tenantPrefix(tenantId)}s${Buffer.from(sessionId).toString('hex')}`;

/** Token of all messages of a role. */
export const roleToken = (tenantId: string, role: SearchedRole): string => `${tenantPrefix(tenantId)}r${role}`;
