/** Queries of a fixed shape, built and compiled once, then run again and again with other values. */
import type { Compilable, CompiledQuery } from 'kysely';

/** Runs compiled queries: on a connection, or inside a transaction. */
export interface Runner {
  rows<R>(query: CompiledQuery<R>): Promise<R[]>;
  /** Resolves the number of rows the statement changed. */
  changes(query: CompiledQuery): Promise<number>;
}

export type Template<P, R> = (values: P) => CompiledQuery<R>;

/** Stands for a value while a template is compiled. */
class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * Compiles `build` once. Inside it, `param.<name>` may be used wherever a value may stand, but must not be looked at; it has the type of
 * the value it stands for, so columns are checked. `undefined` is bound as null.
 */
export function template<P extends object, R>(build: (param: P) => Compilable<R>): Template<P, R> {
  // A placeholder is never seen as a value: the query builder only carries it into the list of parameters.
  const param = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as P;
  const compiled = build(param).compile();
  const slots = compiled.parameters;
  return values => ({
    ...compiled,
    parameters: slots.map(slot => (slot instanceof Placeholder ? (values[slot.name as keyof P] ?? null) : slot)),
  });
}

/** An object with `param.<column>` for each column: the values of an insert. */
export function pick<P extends object, K extends keyof P>(param: P, columns: readonly K[]): Pick<P, K> {
  return Object.fromEntries(columns.map(column => [column, param[column]])) as Pick<P, K>;
}
