/** The base of the classes of owners: queries that are compiled once, and executed by the runner of a reader or of a transaction. */
import type { CompiledQuery, Kysely } from 'kysely';
import type { Runner } from './query_template';
import type { Schema } from './schema';

/** Returns a base class with the queries that `compile` makes for a database. */
export function sqlTable<Statements>(compile: (db: Kysely<Schema>) => Statements) {
  return class SqlTable {
    declare protected runner: Runner;
    protected readonly statements: Statements;

    constructor(protected readonly db: Kysely<Schema>) {
      this.statements = compile(db);
    }

    /** Returns this table, with its compiled queries, for one runner. Costs one small object. */
    on(runner: Runner): this {
      const bound: this = Object.create(this);
      bound.runner = runner;
      return bound;
    }

    /** Resolves with the first row as a record; undefined when there is none. */
    protected async record<Row, R>(query: CompiledQuery<Row>, toRecord: (row: Row) => R): Promise<R | undefined> {
      const [row] = await this.runner.rows(query);
      return row && toRecord(row);
    }

    protected async records<Row, R>(query: CompiledQuery<Row>, toRecord: (row: Row) => R): Promise<R[]> {
      return (await this.runner.rows(query)).map(row => toRecord(row));
    }

    /** Resolves with the number in column `count` of the only row. */
    protected async readCount(query: CompiledQuery<{ count: number }>): Promise<number> {
      const [row] = await this.runner.rows(query);
      return Number(row?.count ?? 0);
    }

    /** Executes a statement and resolves whether it changed a row. */
    protected async hasChanged(query: CompiledQuery): Promise<boolean> {
      return (await this.runner.changes(query)) > 0;
    }

    /** Executes a statement whose result nobody needs. */
    protected execute(query: CompiledQuery): Promise<void> {
      return this.runner.write(query);
    }
  };
}
