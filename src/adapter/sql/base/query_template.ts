/** Query templates: built and compiled once, executed with other values each time. */
import type { Compilable, CompiledQuery } from 'kysely';

/** Executes compiled queries on a connection or inside a transaction. */
export interface Runner {
  rows<R>(query: CompiledQuery<R>): Promise<R[]>;
  /** Resolves the number of rows that the statement changed. */
  changes(query: CompiledQuery): Promise<number>;
}

export type Template<P, R> = (values: P) => CompiledQuery<R>;

/** Placeholder of a value while a template is compiled. */
class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * Compiles `build` once. Inside it, pass `param.<name>` wherever the query takes a value, but never read it: it is a placeholder with the type of
 * the value, so that columns are type-checked. `undefined` is bound as null.
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
