/** Keeps encoded events for all their readers. */
import type { EventSink } from '../service/run_log/run_subscription';
import { memoByObject } from '../utils/memo_by_object';
import { memoRecent } from '../utils/memo_recent';

export type SentEvent = Parameters<EventSink>[0][number];

/** Bytes or characters. Doors do not copy an encoded event of this length or more, so that slow readers share its memory. */
export const LARGE_ENCODING = 16 * 1024;
/** Characters below which a text is never large when it is encoded: a character takes at most six bytes. */
const SMALL_TEXT = 2 * 1024;
/** Bytes or characters of encoded small deltas that are kept. */
const RECENT_DELTAS = 512 * 1024;

/**
 * Returns `encode` with a cache. An encoded event is kept as long as the event; a small delta only until newer ones replace it, because there are
 * many deltas and they live until their whole text is stored.
 */
export function memoEncoding<V extends { readonly length: number }>(encode: (event: SentEvent) => V): (event: SentEvent) => V {
  const kept = memoByObject(encode);
  const recent = memoRecent(encode, RECENT_DELTAS);
  return event => (isSmallDelta(event) ? recent(event) : kept(event));
}

const isSmallDelta = (event: SentEvent): boolean =>
  (event.type === 'text_delta' || event.type === 'reasoning_delta') && event.data.text.length < SMALL_TEXT;
