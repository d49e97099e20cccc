/** How the doors send events of runs: an event is encoded once for all its readers, and events that come together leave in one write. */
import type { RunEventType } from '../port/run_event';
import type { SessionNotice } from '../service/access/session_notice';
import type { EventSink } from '../service/run_log/event_sink';
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
export function memoEncoding<V extends { readonly length: number }, E extends SentEvent | SessionNotice = SentEvent>(
  encode: (event: E) => V,
): (event: E) => V {
  const kept = memoByObject(encode);
  const recent = memoRecent(encode, RECENT_DELTAS);
  return event => (isSmallDelta(event) ? recent(event) : kept(event));
}

const isSmallDelta = (event: SentEvent | SessionNotice): boolean =>
  (event.type === 'text_delta' || event.type === 'reasoning_delta') && event.data.text.length < SMALL_TEXT;

/** The longest wait of progress in milliseconds. People do not notice it; with 64 runs at once, a tool that reads ends within it. */
export const PROGRESS_WAIT_MS = 25;

const PROGRESS: ReadonlySet<string> = new Set<RunEventType>(['run_start', 'message_end', 'usage', 'tool_call_start', 'tool_call_end']);

/**
 * Decides when the events that a connection has collected are written. A write costs more than encoding the event, and it wakes the client.
 * Progress waits a moment for the events behind it; text, questions and the end of a run are written at once, with everything before them.
 */
export class WriteBatching {
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;

  /** `flush` writes the collected events and calls `noteWritten`; it may find no event to write. */
  constructor(private readonly flush: () => void) {}

  /** Call it for each collected event, with its type. */
  noteEvent(type: string): void {
    if (this.isDue) return;
    if (PROGRESS.has(type)) {
      this.timer ??= setTimeout(this.flush, PROGRESS_WAIT_MS);
      return;
    }
    this.isDue = true;
    process.nextTick(this.flush);
  }

  /** Call it when every collected event was written. */
  noteWritten(): void {
    this.isDue = false;
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
