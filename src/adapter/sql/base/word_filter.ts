/** The condition of a search for words in short texts. It reads each text of the list: an index of them would cost each write. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isLike } from './dialect';
import type { Schema } from './schema';

/** More words than a title has. */
const MAX_WORDS = 12;

/** Matches rows that hold every word of the query in some of the columns, in any order, upper or lower case. Columns may hold JSON. */
export function holdsWords(db: Kysely<Schema>, columns: readonly string[], query: string): RawBuilder<SqlBool> {
  const words = query.split(/\s+/).filter(word => word !== '');
  return sql<SqlBool>`(${sql.join(
    words.slice(0, MAX_WORDS).map(word => holdsWord(db, columns, word)),
    sql` and `,
  )})`;
}

/**
 * `like` ignores the case of ASCII letters only, so the word is also compared in lower, upper and title case. JSON has a backslash before some
 * characters.
 */
function holdsWord(db: Kysely<Schema>, columns: readonly string[], word: string): RawBuilder<SqlBool> {
  const lower = word.toLowerCase();
  const cases = [word, lower, word.toUpperCase(), lower.replace(/^./u, first => first.toUpperCase())].map(toAsciiLower);
  const spellings = new Set(cases.flatMap(text => [text, JSON.stringify(text).slice(1, -1)]));
  const likes = columns.flatMap(column => [...spellings].map(spelling => isLike(db, column, `%${escapeWildcards(spelling)}%`)));
  return sql<SqlBool>`(${sql.join(likes, sql` or `)})`;
}

const toAsciiLower = (text: string): string => text.replace(/[A-Z]+/g, letters => letters.toLowerCase());

const escapeWildcards = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
