/** The condition of a search in titles. It reads every title of the tenant: titles are short, and an index of them would cost each turn. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isLike } from '../base/dialect';
import type { Schema } from '../base/schema';

/** More words than a title has. */
const MAX_WORDS = 12;

/** Matches titles that hold every word of the query, in any order, upper or lower case. */
export function titleHolds(db: Kysely<Schema>, query: string): RawBuilder<SqlBool> {
  const words = query.split(/\s+/).filter(word => word !== '');
  return sql<SqlBool>`(${sql.join(
    words.slice(0, MAX_WORDS).map(word => holdsWord(db, word)),
    sql` and `,
  )})`;
}

/** `like` ignores the case of ASCII letters only, so the word is also compared in lower, upper and title case. */
function holdsWord(db: Kysely<Schema>, word: string): RawBuilder<SqlBool> {
  const lower = word.toLowerCase();
  const spellings = new Set([word, lower, word.toUpperCase(), lower.replace(/^./u, first => first.toUpperCase())].map(toAsciiLower));
  const likes = [...spellings].map(spelling => isLike(db, 'title', `%${escapeWildcards(spelling)}%`));
  return sql<SqlBool>`(${sql.join(likes, sql` or `)})`;
}

const toAsciiLower = (text: string): string => text.replace(/[A-Z]+/g, letters => letters.toLowerCase());

const escapeWildcards = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
