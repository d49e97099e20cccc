/** Keeps encoded events, so that an event is encoded once for all its readers. */
import { isDelta } from '../port/run_event';
import { sizeOfEvent } from '../service/run/event_page_cache';
import type { EventSink } from '../service/run/run_subscription';
import { memoByObject } from '../utils/memo_by_object';
import { memoRecent } from '../utils/memo_recent';

export type SentEvent = Parameters<EventSink>[0][number];

/** Bytes or characters of an encoded event from which on doors do not copy it, so that slow readers share its memory. */
export const LARGE_ENCODING = 16 * 1024;
/** Bytes or characters of encoded deltas that are kept. */
const RECENT_DELTAS = 512 * 1024;

/**
 * Returns `encode` with a cache. An encoded event is kept as long as the event, but a small delta for a moment only: deltas are many, and live until
 * their whole text is stored.
 */
export function memoEncoding<V extends { readonly length: number }>(encode: (event: SentEvent) => V): (event: SentEvent) => V {
  const kept = memoByObject(encode);
  const recent = memoRecent(encode, RECENT_DELTAS);
  return event => (isSmallDelta(event) ? recent(event) : kept(event));
}

const isSmallDelta = (event: SentEvent): boolean => event.type !== 'replay_reset' && isDelta(event) && sizeOfEvent(event) < LARGE_ENCODING;
