/**
 * Pages by key: a cursor holds the sort key of the last row of a page, so that rows which come or go between two pages shift nothing.
 */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { AppError } from '../../errors';
import type { Page, PageRequest } from '../../port/store';

/** How a list is sorted: by two columns, in one direction. The second makes the order total. */
export interface ListOrder {
  /** Keeps cursors of different lists apart. */
  readonly list: string;
  readonly columns: readonly [first: string, second: string];
  readonly second: 'string' | 'number';
  readonly direction: 'asc' | 'desc';
}

/** Sorts the query, starts it after the cursor and asks for one row more than the page, which tells whether there is a next one. */
export function pageQuery<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  order: ListOrder,
  page: PageRequest,
): SelectQueryBuilder<DB, TB, O> {
  const [first, second] = order.columns.map(column => sql.ref(column));
  const sorted = query
    .orderBy(sql`${first}`, order.direction)
    .orderBy(sql`${second}`, order.direction)
    .limit(page.limit + 1);
  if (page.cursor === undefined) return sorted;
  const [firstKey, secondKey] = decodeCursor(page.cursor, order);
  const comparison = sql.raw(order.direction === 'asc' ? '>' : '<');
  return sorted.where(sql<SqlBool>`(${first}, ${second}) ${comparison} (${firstKey}, ${secondKey})`);
}

/** The rows of `pageQuery` as a page of records. */
export function toPage<Row extends object, T>(rows: Row[], order: ListOrder, page: PageRequest, toRecord: (row: Row) => T): Page<T> {
  const data = rows.slice(0, page.limit).map(toRecord);
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined;
  return last ? { data, nextCursor: encodeCursor(order, last) } : { data };
}

function encodeCursor(order: ListOrder, row: object): string {
  const keys = order.columns.map(column => (row as Record<string, unknown>)[column]);
  return Buffer.from(JSON.stringify([order.list, ...keys])).toString('base64url');
}

function decodeCursor(cursor: string, order: ListOrder): [number, string | number] {
  const parts = parseCursor(cursor);
  if (Array.isArray(parts) && parts.length === 3) {
    const [list, first, second] = parts as unknown[];
    if (list === order.list && Number.isSafeInteger(first) && isKey(second, order.second)) return [first as number, second];
  }
  throw new AppError('invalid_request', { message: 'The cursor is not one that this list gave out.', param: '/cursor' });
}

function parseCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function isKey(value: unknown, kind: 'string' | 'number'): value is string | number {
  return kind === 'number' ? Number.isSafeInteger(value) : typeof value === 'string';
}
