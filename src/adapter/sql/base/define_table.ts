/**
 * A table is one value: its columns, each with the form in which it is stored. From it come the type of a row, the list of the columns, and the
 * conversion between record and row. Column `created_at` holds the field `createdAt`.
 */

/** Names the form in which a value is stored. text, number and bytes: the value itself. flag: 0 or 1. json: a text. */
type Kind = 'text' | 'number' | 'bytes' | 'flag' | 'json';

type KindOf<Value> = [Value] extends [string]
  ? 'text'
  : [Value] extends [number]
    ? 'number'
    : [Value] extends [boolean]
      ? 'flag'
      : [Value] extends [Uint8Array]
        ? 'bytes'
        : 'json';

/** Adds a question mark when the field may be undefined; undefined is stored as null. */
type FormOf<Value> = undefined extends Value ? `${KindOf<NonNullable<Value>>}?` : KindOf<Value>;

/** Converts values of a column that no kind describes; undefined and null too. */
interface Codec<Value, Stored> {
  encode(value: Value): unknown;
  decode(stored: Stored): unknown;
}

/** A function computes a column that is only written. */
type Derive<R> = (record: R) => unknown;

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : S;

/** `text? user`: the column holds the field `user`, which has another name. */
type FieldOf<Column extends string, Form> = Form extends `${string} ${infer Field}` ? Field : CamelCase<Column>;

type Forms<R> = { readonly [column: string]: string | Codec<never, never> | Derive<R> };

/** The forms that a column may have. */
type FormFor<R, Form, Field> =
  Form extends Derive<R>
    ? Form
    : Field extends keyof R & string
      ? FormOf<R[Field]> | `${FormOf<R[Field]>} ${Field}` | Codec<R[Field], never>
      : never;

type FieldsOf<F> = { [Column in keyof F & string]: FieldOf<Column, F[Column]> }[keyof F & string];

type Checked<R, F> = [Exclude<keyof R, FieldsOf<F>>] extends [never]
  ? { [Column in keyof F & string]: FormFor<R, F[Column], FieldOf<Column, F[Column]>> }
  : { 'has no column': Exclude<keyof R, FieldsOf<F>> };

type Plain<Value, Form> = Form extends `flag${string}` ? 0 | 1 : Form extends `json${string}` ? string : Value;
type StoredOf<R, Form, Field> = Form extends (record: R) => infer Stored
  ? Stored
  : Form extends Codec<never, infer Stored>
    ? Stored
    : Field extends keyof R
      ? undefined extends R[Field]
        ? Plain<NonNullable<R[Field]>, Form> | null
        : Plain<R[Field], Form>
      : never;
type RowFrom<R, F> = { [Column in keyof F & string]: StoredOf<R, F[Column], FieldOf<Column, F[Column]>> };

export interface Table<R, Row> {
  readonly name: string;
  readonly columns: readonly (keyof Row & string)[];
  toRow(record: R): Row;
  /** The columns of the fields that are set, always in the same order. */
  toChange(patch: Partial<R>): Partial<Row>;
  /** A column that is null becomes an undefined field. */
  toRecord(row: Row): R;
  /** The same table without some of its columns. */
  without<Column extends keyof Row & string>(...left: Column[]): Table<Omit<R, CamelCase<Column>>, Omit<Row, Column>>;
}

/** The row of a table. */
export type RowOf<T> = T extends Table<infer _R, infer Row> ? Row : never;

/** Converts the values of one column. */
interface Conversion {
  column: string;
  /** Absent for a column that is only written. */
  field?: string;
  encode(value: unknown, record: unknown): unknown;
  decode(stored: unknown): unknown;
}

/**
 * Defines a table for records of type `R`. The compiler demands a column for each field of `R`, of the kind of the field.
 * @example
 * import { defineTable } from './define_table';
 *
 * export const PAGES = defineTable<{ name: string; size?: number; tags: string[]; isOpen: boolean }>()('pages', {
 *   name: 'text',
 *   size: 'number?',
 *   tags: 'json',
 *   is_open: 'flag',
 * });
 */
export const defineTable =
  <R>() =>
  <const F extends Forms<R>>(name: string, forms: F & Checked<R, F>): Table<R, RowFrom<R, F>> =>
    tableOf<R, RowFrom<R, F>>(
      name,
      Object.entries<Forms<R>[string]>(forms).map(([column, form]) => toConversion(column, form as Form)),
    );

type Form = string | Codec<unknown, unknown> | Derive<unknown>;

function toConversion(column: string, form: Form): Conversion {
  const field = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (typeof form === 'function') return { column, encode: (_, record) => form(record), decode: stored => stored };
  if (typeof form === 'object') return { column, field, encode: value => form.encode(value), decode: stored => form.decode(stored) };
  const [kind = '', otherField] = form.split(' ');
  return { column, field: otherField ?? field, ...CONVERSIONS[kind.replace('?', '') as Kind] };
}

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;
const SAME = { encode: (value: unknown) => value ?? null, decode: (stored: unknown) => stored ?? undefined };
const CONVERSIONS: Record<Kind, Pick<Conversion, 'encode' | 'decode'>> = {
  text: SAME,
  number: SAME,
  bytes: SAME,
  flag: { encode: value => (isAbsent(value) ? null : value ? 1 : 0), decode: stored => (isAbsent(stored) ? undefined : stored === 1) },
  json: {
    encode: value => (value === undefined ? null : JSON.stringify(value)),
    decode: stored => (isAbsent(stored) ? undefined : JSON.parse(stored as string)),
  },
};

/** The types of `defineTable` say that the conversions fit records and rows. */
function tableOf<R, Row>(name: string, conversions: readonly Conversion[]): Table<R, Row> {
  const read = conversions.filter(({ field }) => field !== undefined);
  // A copy of an object that has every key already is twice as fast as adding the keys one by one.
  const emptyRow = Object.fromEntries(conversions.map(({ column }) => [column, null]));
  const emptyRecord = Object.fromEntries(read.map(({ field }) => [field, undefined]));
  return {
    name,
    columns: conversions.map(({ column }) => column as keyof Row & string),
    toRow(record) {
      const row: Record<string, unknown> = { ...emptyRow };
      for (const { column, field, encode } of conversions) row[column] = encode(record[field as keyof R], record);
      return row as Row;
    },
    toChange(patch) {
      const change: Record<string, unknown> = {};
      for (const { column, field, encode } of conversions) {
        const value = field === undefined ? encode(undefined, patch) : patch[field as keyof R];
        if (value !== undefined) change[column] = field === undefined ? value : encode(value, patch);
      }
      return change as Partial<Row>;
    },
    toRecord(row) {
      const record: Record<string, unknown> = { ...emptyRecord };
      for (const { column, field, decode } of read) record[field as string] = decode(row[column as keyof Row]);
      return record as R;
    },
    without: (...left) =>
      tableOf(
        name,
        conversions.filter(({ column }) => !left.includes(column as never)),
      ),
  };
}
