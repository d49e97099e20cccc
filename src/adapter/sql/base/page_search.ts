/** Reads pages of a list with a condition that no index answers, in parts, so that a search which few rows pass does not hold the event loop. */
import type { SelectQueryBuilder } from 'kysely';
import type { Page, PageRequest } from '../../../port/store/page';
import { yieldToEventLoop } from '../../../utils/yield_to_event_loop';
import { encodeCursor, type ListShape, pageQuery, readPage } from './cursor';
import type { Runner } from './query_template';

/** Rows that one query compares with the condition. */
const PART_ROWS = 5_000;
/** Parts that one page reads at most. */
const MAX_PARTS = 20;

export interface ListSearch<DB, TB extends keyof DB, Row extends object, MatchDB, MatchTB extends keyof MatchDB> {
  /** The rows of the list, found by an index in its order. */
  list: SelectQueryBuilder<DB, TB, Row>;
  /** Selects the rows of a part of the list that match. */
  matches(part: SelectQueryBuilder<DB, TB, Row>): SelectQueryBuilder<MatchDB, MatchTB, Row>;
}

/**
 * As readPage. Compares at most 100,000 rows with the condition, and other work runs after each 5,000 of them. When more rows follow, the cursor goes on
 * behind the last row that was compared, so a page may have fewer rows than `limit`, or none, and still a cursor.
 */
export async function searchPage<DB, TB extends keyof DB, Row extends object, T, MatchDB, MatchTB extends keyof MatchDB>(
  runner: Runner,
  { list, matches }: ListSearch<DB, TB, Row, MatchDB, MatchTB>,
  shape: ListShape<Row, T>,
  page: PageRequest,
): Promise<Page<T>> {
  const data: T[] = [];
  let { cursor } = page;
  for (let parts = 0; parts < MAX_PARTS; parts += 1) {
    // pageQuery adds one row to the limit.
    const part = pageQuery(list, shape.order, { limit: PART_ROWS - 1, cursor });
    const found = await readPage(runner, matches(part), shape, { ...restOf(page, data), cursor });
    data.push(...found.data);
    if (found.nextCursor !== undefined) return { data, nextCursor: found.nextCursor };
    const [last] = await runner.rows(
      part
        .clearLimit()
        .limit(1)
        .offset(PART_ROWS - 1)
        .compile(),
    );
    if (!last) return { data };
    cursor = encodeCursor(shape.order, last);
    if (data.length >= page.limit) break;
    await yieldToEventLoop();
  }
  return { data, nextCursor: cursor };
}

/** The rows and bytes that the page still takes. */
function restOf({ limit, maxBytes }: PageRequest, data: readonly unknown[]): PageRequest {
  const used = maxBytes === undefined || data.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(data));
  return { limit: limit - data.length, maxBytes: maxBytes === undefined ? undefined : Math.max(1, maxBytes - used) };
}
