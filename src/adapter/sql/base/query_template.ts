/** Query templates: built and compiled once, executed with other values each time. An insert is compiled once for each number of rows. */
import type { Compilable, CompiledQuery } from 'kysely';

/** Executes compiled queries on a connection or inside a transaction. */
export interface Runner {
  rows<R>(query: CompiledQuery<R>): Promise<R[]>;
  /** Resolves the number of rows that the statement changed. */
  changes(query: CompiledQuery): Promise<number>;
  /** Executes a statement whose result nobody needs. It may resolve before the answer of the database; a failure then fails the transaction. */
  write(query: CompiledQuery): Promise<void>;
}

export type Template<P, R> = (values: P) => CompiledQuery<R>;

/** Placeholder of a value while a template is compiled. */
class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * Compiles `build` once. In `build`, pass `param.<name>` wherever the query takes a value, but never read `param.<name>`: it is a placeholder with
 * the type of the value, so that columns are type-checked. `undefined` is bound as null.
 */
export function template<P extends object, R>(build: (param: P) => Compilable<R>): Template<P, R> {
  // The query builder does not read a placeholder; it only puts it into the list of parameters.
  const param = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as P;
  const compiled = build(param).compile();
  const slots = compiled.parameters;
  return values => ({
    ...compiled,
    parameters: slots.map(slot => (slot instanceof Placeholder ? (values[slot.name as keyof P] ?? null) : slot)),
  });
}

/** Returns `param.<column>` for each column, as the values of an insert. */
export function pick<P extends object, K extends keyof P>(param: P, columns: readonly K[]): Pick<P, K> {
  return Object.fromEntries(columns.map(column => [column, param[column]])) as Pick<P, K>;
}

/** Rows of one statement at most; more are split. Keeps the number of parameters and of prepared statements small. */
const MAX_ROWS = 40;

/** Inserts the rows in order. */
export type InsertRows<Row> = (runner: Runner, rows: readonly Row[]) => Promise<void>;

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

  function insertChunk(runner: Runner, rows: readonly Row[]): Promise<void> {
    const parameters: unknown[] = [];
    for (const row of rows) for (const column of columns) parameters.push(row[column]);
    return runner.write({ ...compiledFor(rows.length), parameters });
  }

  async function insertInChunks(runner: Runner, rows: readonly Row[]): Promise<void> {
    for (let start = 0; start < rows.length; start += MAX_ROWS) await insertChunk(runner, rows.slice(start, start + MAX_ROWS));
  }

  return (runner, rows) => (rows.length > 0 && rows.length <= MAX_ROWS ? insertChunk(runner, rows) : insertInChunks(runner, rows));
}
