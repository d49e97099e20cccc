/** Summaries of sessions: one for each session that was compacted. The messages that a summary covers stay in the store. */
import type { MessagePlace } from './messages';

/** `runOrdinal` and `position` name the last message that the summary covers; it covers all messages before that too. */
export interface SummaryRecord extends MessagePlace {
  tenantId: string;
  sessionId: string;
  text: string;
  /** Milliseconds since 1970. */
  createdAt: number;
}

export interface SummaryReader {
  get(tenantId: string, sessionId: string): Promise<SummaryRecord | undefined>;
}

export interface SummaryWriter {
  /** Inserts or replaces the summary of the session. Rejects with `internal` when the session does not exist. */
  put(summary: SummaryRecord): Promise<void>;
}

/** Returns true when the summary covers the message at `place`. */
export const isSummarised = (place: MessagePlace, summary: MessagePlace): boolean =>
  place.runOrdinal < summary.runOrdinal || (place.runOrdinal === summary.runOrdinal && place.position <= summary.position);
