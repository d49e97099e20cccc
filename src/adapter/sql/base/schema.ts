/**
 * Tables and columns of the database; `migrations.ts` creates exactly these. JSON is text, booleans are 0 and 1, times are milliseconds since
 * 1970: types that every SQL database has. Each file that defines tables adds them to this interface.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the files that define tables add its properties
export interface Schema {}
