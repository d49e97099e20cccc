/** The statements that most tables need, made from the value of a table. */
import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import { orUnchanged } from './column_values';
import type { Table } from './define_table';
import { insertRows, type Runner, type Template, template } from './query_template';
import type { Schema } from './schema';

/** Kysely cannot express a table whose name is not known here; the value of the table types what goes in and comes out. */
type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>;
const anyDatabase = (db: Kysely<Schema>): AnyDatabase => db as unknown as AnyDatabase;

export type InsertRecords<R> = (runner: Runner, records: readonly R[]) => Promise<void>;

/** Inserts records in order. */
export function insertInto<R, Row extends object>(db: Kysely<Schema>, table: Table<R, Row>): InsertRecords<R> {
  const insert = insertRows<Row>(table.columns, rows =>
    anyDatabase(db)
      .insertInto(table.name)
      .values(rows as Record<string, unknown>[]),
  );
  return (runner, records) => insert(runner, records.map(table.toRow));
}

/** Inserts records. A record whose `key` is taken replaces the other columns of the row. */
export function upsertInto<R, Row extends object>(
  db: Kysely<Schema>,
  table: Table<R, Row>,
  key: readonly (keyof Row & string)[],
): InsertRecords<R> {
  const changed = table.columns.filter(column => !key.includes(column));
  const insert = insertRows<Row>(table.columns, rows =>
    anyDatabase(db)
      .insertInto(table.name)
      .values(rows as Record<string, unknown>[])
      .onConflict(conflict =>
        conflict.columns(key).doUpdateSet(eb => Object.fromEntries(changed.map(column => [column, eb.ref(`excluded.${column}`)]))),
      ),
  );
  return (runner, records) => insert(runner, records.map(table.toRow));
}

/** The new values of columns: those of `change`, or the present ones where `change` is null. */
export function setUnlessNull<Row extends object, Column extends keyof Row & string>(change: Row, columns: readonly Column[]) {
  const values = columns.map(column => [column, orUnchanged(change[column], column)]);
  return Object.fromEntries(values) as { [C in Column]: RawBuilder<NonNullable<Row[C]>> };
}

/** Selects the rows with the values of `key`. */
export const selectBy = <R, Row extends object, Column extends keyof Row & string>(
  db: Kysely<Schema>,
  table: Table<R, Row>,
  ...key: Column[]
): Template<Pick<Row, Column>, Row> =>
  template(values => {
    let query = anyDatabase(db).selectFrom(table.name).select(table.columns);
    for (const column of key as string[]) query = query.where(column, '=', values[column as Column]);
    return query as unknown as { compile(): CompiledQuery<Row> };
  });

/** Deletes the rows with the values of `key`. */
export const deleteBy = <R, Row extends object, Column extends keyof Row & string>(
  db: Kysely<Schema>,
  table: Table<R, Row>,
  ...key: Column[]
): Template<Pick<Row, Column>, unknown> =>
  template(values => {
    let query = anyDatabase(db).deleteFrom(table.name);
    for (const column of key as string[]) query = query.where(column, '=', values[column as Column]);
    return query;
  });
