/** Pages of lists that are in memory. */
import { type AppError, invalidField } from '../errors';
import type { Page, PageRequest } from '../port/store/page';
import { pageOf } from './http_request';

const CURSOR = /^([1-9]\d{0,8})\.([\w-]*)$/;

/**
 * Cuts a page out of a list whose order is stable. The cursor names the last row of the page before, so rows that come or go before it neither hide
 * nor repeat one; when that row itself is gone, its position counts. Throws `invalid_request`.
 */
export function pageOfList<T>(rows: readonly T[], { limit, cursor }: PageRequest, keyOf: (row: T) => string): Page<T> {
  const start = cursor === undefined ? 0 : startOf(rows, cursor, keyOf);
  const data = rows.slice(start, start + limit);
  const last = data.at(-1);
  const end = start + data.length;
  return { data, nextCursor: last !== undefined && end < rows.length ? `${end}.${encode(keyOf(last))}` : undefined };
}

/** As `pageOfList`; the whole list for a query without limit and cursor. */
export function listOrPage<T>(rows: readonly T[], query: { limit?: string; cursor?: string }, keyOf: (row: T) => string): Page<T> {
  if (query.limit === undefined && query.cursor === undefined) return { data: [...rows] };
  return pageOfList(rows, pageOf(query), keyOf);
}

/** As `listOrPage`, for rows with growing numbers. The cursor is the number of the last row, so it names its place also when that row is gone. */
export function listOrPageByNumber<T>(
  rows: readonly T[],
  query: { limit?: string; cursor?: string },
  numberOf: (row: T) => number,
): Page<T> {
  const { cursor } = query;
  if (cursor !== undefined && !/^[1-9]\d{0,14}$/.test(cursor)) throw notACursor();
  const rest = cursor === undefined ? rows : rows.filter(row => numberOf(row) > Number(cursor));
  const data = query.limit === undefined && cursor === undefined ? [...rest] : rest.slice(0, pageOf(query).limit);
  const last = data.at(-1);
  return { data, nextCursor: last !== undefined && data.length < rest.length ? String(numberOf(last)) : undefined };
}

function startOf<T>(rows: readonly T[], cursor: string, keyOf: (row: T) => string): number {
  const [, count, key] = CURSOR.exec(cursor) ?? [];
  if (count === undefined) throw notACursor();
  const isLast = (row: T | undefined) => row !== undefined && encode(keyOf(row)) === key;
  const position = Number(count);
  if (isLast(rows[position - 1])) return position;
  const found = rows.findIndex(isLast);
  return found < 0 ? position : found + 1;
}

const notACursor = (): AppError => invalidField('/cursor', 'must be the nextCursor of a page.', '必须是某一页的 nextCursor。');

const encode = (key: string): string => Buffer.from(key).toString('base64url').slice(0, 400);
