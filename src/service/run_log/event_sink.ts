/** What a reader of runs gets: events, and a snapshot in place of events that are gone. */
import type { RunEvent } from '../../port/run_event';

/** Sent when the events at the cursor are gone: the reader must replace everything it has of the run by the snapshot. Has no seq. */
export interface ReplayReset {
  v: 1;
  type: 'replay_reset';
  sessionId: string;
  runId: string;
  ts: string;
  data: { runId: string; lastSeq: number; snapshot: { events: RunEvent[] } };
}

/** Gets events in order. The subscription waits for a returned promise before the next call; an exception or a rejection ends the subscription. */
export type EventSink = (events: readonly (RunEvent | ReplayReset)[]) => Promise<void> | void;
