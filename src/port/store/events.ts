/** The event log of runs. */
import type { RunEvent } from '../run_event';

/** Limits of one read. A plain number is the highest number of events. */
export interface EventPage {
  limit: number;
  /** The most stored bytes of a page. A row is never cut, and the first row always comes, whatever its size. */
  maxBytes: number;
}

/** The run whose events are appended, as its writer knows it. */
export interface WrittenRun {
  tenantId: string;
  id: string;
  sessionId: string;
  epoch: number;
}

export interface EventReader {
  /** Lists stored events with seq > `after`, in order, within the limits of the page. Empty only when there are no such events. */
  list(tenantId: string, runId: string, after: number, page: number | EventPage): Promise<RunEvent[]>;
}

export interface EventWriter {
  /**
   * Appends numbered events of one run, in seq order, and raises the run's lastSeq. Adjacent deltas (isDelta) of the same type and tool call
   * may share a row; `list` returns every event as it was. Rejects with FencedError when the run is gone or its epoch is not `epoch`,
   * with `internal` when the first seq does not follow the run's lastSeq.
   */
  append(run: WrittenRun, events: readonly RunEvent[]): Promise<void>;
}

export interface EventExpiryWriter {
  /**
   * All tenants: deletes the events of runs that ended before `before` and marks these runs eventsExpired. Keeps the newest runs of each
   * session while their events (counted by lastSeq) sum up to at most `keepPerSession`; the sum is taken again once a newer run of the
   * session ended before `before`. Each call does a part of the work: it counts at most `size` runs and deletes at most `size` rows; call again while
   * `isMore`.
   */
  expire(before: number, keepPerSession: number, size: number): Promise<{ expired: number; isMore: boolean }>;
}
