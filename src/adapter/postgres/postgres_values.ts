/** Converts values for Postgres and back, so that they are the same as with SQLite. */
import type { CompiledQuery } from 'kysely';
import { type CustomTypesConfig, type QueryConfig, types } from 'pg';

/** A statement as it goes to the server. */
export interface Statement {
  /** The name of the prepared statement. Absent: the statement is not prepared. */
  name?: string | undefined;
  text: string;
  values: readonly (string | Buffer | null)[];
}

const NUL = /\0/g;
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;
const MAX_NAMES = 512;

/** Names of prepared statements, by their text; a connection prepares each with its first use. */
const names = new Map<string, string>();

/** The query with the name of its prepared statement. Filters of lists have many texts; those above a number are not prepared. */
export function toQueryConfig({ sql, parameters }: CompiledQuery): QueryConfig {
  const name = nameOf(sql);
  return { name, text: sql, values: parameters.map(toParameter), types: VALUE_TYPES };
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `neta_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** Postgres text cannot hold U+0000, so the replacement character takes its place. A number beyond every stored number compares as the largest. */
function toParameter(value: unknown): unknown {
  if (typeof value === 'number' && Math.abs(value) > MAX_NUMBER) return value > 0 ? MAX_NUMBER : -MAX_NUMBER;
  return typeof value === 'string' && value.includes('\0') ? value.replace(NUL, '\ufffd') : value;
}

/** The query as a statement of a batch: values in the form in which they go to the server. */
export const toStatement = ({ sql, parameters }: CompiledQuery): Statement => ({
  name: nameOf(sql),
  text: sql,
  values: parameters.map(value => toWireValue(toParameter(value))),
});

function toWireValue(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'object') throw new TypeError('A statement got a value that is neither a text, a number, bytes nor null.');
  return String(value);
}

/** Integers, sums and sizes come as numbers, bytes as a plain Uint8Array. */
export const VALUE_TYPES: CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    if (format === 'binary') return types.getTypeParser(type, format);
    if (type === types.builtins.INT8 || type === types.builtins.NUMERIC) return toNumber;
    if (type === types.builtins.BYTEA) return toBytes;
    return types.getTypeParser(type, format);
  },
};

function toNumber(text: string): number {
  const number = Number(text);
  if (Math.abs(number) > MAX_NUMBER) throw new RangeError('A number of the database is larger than JavaScript can hold.');
  return number;
}

/** Postgres writes bytes as \x and hexadecimal digits. */
const toBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
