/** Reads all pages of a list, one after another. */
import type { Page, PageRequest } from '../port/store/page';

/** Rows and bytes of a page. */
const ROWS = 100;
const BYTES = 1024 * 1024;

/** Yields the rows of all pages. */
export async function* allOf<T>(list: (page: PageRequest) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let cursor: string | undefined; ; ) {
    const { data, nextCursor } = await list({ limit: ROWS, maxBytes: BYTES, cursor });
    yield* data;
    if (nextCursor === undefined) return;
    cursor = nextCursor;
  }
}
