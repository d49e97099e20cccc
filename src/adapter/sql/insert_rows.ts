/** Inserts of one or many rows with one statement, compiled once for each number of rows. */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Runner } from './query_template';

/** Rows a statement carries at most; more are split. Keeps the number of parameters and of prepared statements small. */
const MAX_ROWS = 40;

/** Inserts the rows in order; resolves how many were inserted. */
export type InsertRows<Row> = (runner: Runner, rows: readonly Row[]) => Promise<number>;

/** `build` makes the insert of the given rows; its parameters must be the values of the rows, in the order of `columns`, and nothing else. */
export function insertRows<Row extends object>(
  columns: readonly (keyof Row & string)[],
  build: (rows: Row[]) => Compilable<unknown>,
): InsertRows<Row> {
  const compiledByCount = new Map<number, CompiledQuery>();
  // Only the shape counts here: the values are exchanged for each execution.
  const shape = Object.fromEntries(columns.map(column => [column, ''])) as Row;

  function compiledFor(count: number): CompiledQuery {
    const known = compiledByCount.get(count);
    if (known) return known;
    const compiled = build(Array.from({ length: count }, () => shape)).compile();
    if (compiled.parameters.length !== count * columns.length) throw new Error('An insert has other parameters than its rows.');
    compiledByCount.set(count, compiled);
    return compiled;
  }

  return async (runner, rows) => {
    let inserted = 0;
    for (let start = 0; start < rows.length; start += MAX_ROWS) {
      const chunk = rows.slice(start, start + MAX_ROWS);
      const parameters: unknown[] = [];
      for (const row of chunk) for (const column of columns) parameters.push(row[column]);
      inserted += await runner.changes({ ...compiledFor(chunk.length), parameters });
    }
    return inserted;
  };
}
