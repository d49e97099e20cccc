/** Inserts one or many rows with one statement, compiled once for each number of rows. */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Runner } from './query_template';

/** Rows of one statement at most; more are split. Keeps the number of parameters and of prepared statements small. */
const MAX_ROWS = 40;

/** Inserts the rows in order; resolves how many were inserted. */
export type InsertRows<Row> = (runner: Runner, rows: readonly Row[]) => Promise<number>;

/** `build` creates the insert of rows; its parameters must be exactly the values of the rows, in the order of `columns`. */
export function insertRows<Row extends object>(
  columns: readonly (keyof Row & string)[],
  build: (rows: Row[]) => Compilable<unknown>,
): InsertRows<Row> {
  const compiledByCount = new Map<number, CompiledQuery>();
  // Any values will do for compiling: each execution binds its own.
  const shape = Object.fromEntries(columns.map(column => [column, ''])) as Row;

  function compiledFor(count: number): CompiledQuery {
    const known = compiledByCount.get(count);
    if (known) return known;
    const compiled = build(Array.from({ length: count }, () => shape)).compile();
    if (compiled.parameters.length !== count * columns.length) throw new Error('An insert has other parameters than its rows.');
    compiledByCount.set(count, compiled);
    return compiled;
  }

  function insertChunk(runner: Runner, rows: readonly Row[]): Promise<number> {
    const parameters: unknown[] = [];
    for (const row of rows) for (const column of columns) parameters.push(row[column]);
    return runner.changes({ ...compiledFor(rows.length), parameters });
  }

  async function insertInChunks(runner: Runner, rows: readonly Row[]): Promise<number> {
    let inserted = 0;
    for (let start = 0; start < rows.length; start += MAX_ROWS) inserted += await insertChunk(runner, rows.slice(start, start + MAX_ROWS));
    return inserted;
  }

  return (runner, rows) => (rows.length > 0 && rows.length <= MAX_ROWS ? insertChunk(runner, rows) : insertInChunks(runner, rows));
}
