/** Reads the whole result of a call in pages, from the gateway or from a text on the page. */
import { findAll } from '../../../../src/utils/find_all';
import type { ResultPage, ResultQuery } from '../../api/rest_types';

/** Rejects like the request. */
export type ReadResult = (query: ResultQuery) => Promise<ResultPage>;

/** Characters of a page. */
export const PAGE_UNITS = 100_000;
/** Characters that are read at once for a download. */
const MAX_PAGE_UNITS = 500_000;
/** Matches that a person can step through, as many as the gateway tells. */
const MAX_MATCHES = 2_000;

/** Returns a reader of a text that the page has. */
export const readerOf =
  (text: string): ReadResult =>
  async ({ q }) => ({
    text,
    offset: 0,
    length: text.length,
    complete: true,
    matches: q === undefined ? undefined : await findAll(text, q, MAX_MATCHES),
  });

/** Reads the whole text, page by page. */
export async function readWhole(read: ReadResult): Promise<string> {
  const parts: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: ResultPage = await read({ offset, limit: MAX_PAGE_UNITS });
    parts.push(page.text);
    offset = page.nextOffset;
  }
  return parts.join('');
}

/** Splits the text of a page at the matches in it. Odd parts are matches. */
export function splitAtMatches(page: ResultPage, offsets: readonly number[], units: number): string[] {
  const end = page.offset + page.text.length;
  const parts: string[] = [];
  let at = page.offset;
  for (const offset of offsets) {
    if (offset < at || offset >= end) continue;
    parts.push(
      page.text.slice(at - page.offset, offset - page.offset),
      page.text.slice(offset - page.offset, offset - page.offset + units),
    );
    at = Math.min(end, offset + units);
  }
  return [...parts, page.text.slice(at - page.offset)];
}
