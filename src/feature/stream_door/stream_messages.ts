/** Events of a run as messages of a JSON stream (Durable Streams protocol, 7.1). */
import type { RunEvent } from '../../port/run_event';
import { memoByObject } from '../../utils/memo_by_object';

/** An event of the page cache is encoded once for all readers. */
const encodeEvent = memoByObject((event: RunEvent): string => JSON.stringify(event));

/** Returns the events as a JSON array in one line. */
export const toJsonMessages = (events: readonly RunEvent[]): string => `[${events.map(encodeEvent).join(',')}]`;
