/** Converts values of records to values of columns and back. */
import { type RawBuilder, sql } from 'kysely';

export const toJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** Decodes a value that `toJson` stored; the caller names the type of the field. */
export const fromJson = <T>(text: string): T => JSON.parse(text) as T;

/** The new value of a column in an update: `value`, or the present one when `value` is null. */
export const orUnchanged = <T>(value: T, column: string): RawBuilder<NonNullable<T>> => sql`coalesce(${value}, ${sql.ref(column)})`;

/** A text that can be removed. Null: there was none yet. Empty: it was removed, because null in a change leaves a column as it is. */
export const REMOVABLE = {
  encode: (text?: string | null): string | null => (text === null ? '' : (text ?? null)),
  decode: (stored: string | null): string | undefined => stored || undefined,
};
