/** Keyset pagination: a cursor holds the sort key of a page's last row, so that inserts and deletes between two pages shift nothing. */
import { type CompiledQuery, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { AppError } from '../../../errors';
import type { Page, PageRequest } from '../../../port/store/page';
import type { Runner } from './query_template';

/** Sort order of a list: two columns, one direction. The second column makes the order total. */
export interface ListOrder {
  /** Name in the cursor, so that the cursor of another list is refused. */
  readonly list: string;
  readonly columns: readonly [first: string, second: string];
  readonly second: 'string' | 'number';
  readonly direction: 'asc' | 'desc';
}

export interface ListShape<Row, T> {
  order: ListOrder;
  /** Columns that may be long. */
  long: readonly (string & keyof Row)[];
  toRecord(row: Row): T;
}

/**
 * Reads one page of a list. With `maxBytes` it reads the lengths of the long columns first, so that rows which do not fit are never loaded. A row
 * that is inserted or deleted between the two reads changes the size of the page a little; the cursor is still that of its last row.
 */
export async function readPage<DB, TB extends keyof DB, Row extends object, T>(
  runner: Runner,
  query: SelectQueryBuilder<DB, TB, Row>,
  shape: ListShape<Row, T>,
  page: PageRequest,
): Promise<Page<T>> {
  const { maxBytes } = page;
  const limit = maxBytes === undefined ? page.limit : await countFitting(runner, query, shape, { ...page, maxBytes });
  const rows = await runner.rows(pageQuery(query, shape.order, { ...page, limit }).compile());
  const records = rows.slice(0, limit).map(row => shape.toRecord(row));
  const data = maxBytes === undefined ? records : cutAt(records, maxBytes);
  const last = rows.length > data.length ? rows[data.length - 1] : undefined;
  return last ? { data, nextCursor: encodeCursor(shape.order, last) } : { data };
}

/** Sorts the query, starts it after the cursor and selects one row more than the page, to see whether there is a next page. */
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

/** Counts the first rows whose long columns have at most `maxBytes` bytes together. Returns at least 1, so that a page never ends before a long row. */
async function countFitting<DB, TB extends keyof DB, Row>(
  runner: Runner,
  query: SelectQueryBuilder<DB, TB, Row>,
  { order, long }: Pick<ListShape<Row, unknown>, 'order' | 'long'>,
  page: PageRequest & { maxBytes: number },
): Promise<number> {
  const lengths = long.map(column => sql`coalesce(octet_length(${sql.ref(column)}), 0)`);
  const sizes = query.clearSelect().select(sql<number>`${sql.join(lengths, sql` + `)}`.as('bytes'));
  // The types of a query over any table cannot express that the selection above has this one column.
  const lengthsQuery = pageQuery(sizes, order, page).compile() as CompiledQuery<{ bytes: number }>;
  const rows = await runner.rows(lengthsQuery);
  let sum = 0;
  for (const [i, { bytes }] of rows.entries()) {
    sum += Number(bytes);
    if (sum > page.maxBytes) return Math.min(page.limit, Math.max(1, i));
  }
  return page.limit;
}

/** Keeps the records that fit as JSON; escaped characters make JSON longer than the stored text. */
function cutAt<T>(records: T[], maxBytes: number): T[] {
  let sum = 0;
  const tooMany = records.findIndex(record => {
    sum += Buffer.byteLength(JSON.stringify(record));
    return sum > maxBytes;
  });
  return tooMany === -1 ? records : records.slice(0, Math.max(1, tooMany));
}

/** Encodes the place of a row in the list. */
export function encodeCursor(order: ListOrder, row: object): string {
  const keys = order.columns.map(column => (row as Record<string, unknown>)[column]);
  return packCursor([order.list, ...keys]);
}

/** Encodes the parts of a cursor; the first one is the name of its list. */
export const packCursor = (parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

function decodeCursor(cursor: string, order: ListOrder): [number, string | number] {
  const parts = unpackCursor(cursor);
  if (Array.isArray(parts) && parts.length === 3) {
    const [list, first, second] = parts as unknown[];
    if (list === order.list && Number.isSafeInteger(first) && isKey(second, order.second)) return [first as number, second];
  }
  throw foreignCursor();
}

/** Creates the error for a cursor that the list did not give out. */
export const foreignCursor = (): AppError =>
  new AppError('invalid_request', {
    message: 'The cursor is not one that this list gave out.',
    messageZh: '这个游标不是此列表给出的。',
    param: '/cursor',
  });

/** Decodes what `packCursor` made; undefined for another text. The caller checks the parts. */
export function unpackCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function isKey(value: unknown, kind: 'string' | 'number'): value is string | number {
  return kind === 'number' ? Number.isSafeInteger(value) : typeof value === 'string';
}
