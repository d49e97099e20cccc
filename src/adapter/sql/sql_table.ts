/** The base of tables: an owner of the store, with queries that are compiled once and executed by the runner of a reader or a transaction. */
import type { Runner } from './query_template';

export abstract class SqlTable {
  declare protected runner: Runner;

  /** Returns this table, with its compiled queries, for one runner. Costs one small object. */
  on(runner: Runner): this {
    const bound: this = Object.create(this);
    bound.runner = runner;
    return bound;
  }
}
