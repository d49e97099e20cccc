/** Messages of sessions: the history that the model reads. */
import type { ChatMessage } from '../llm';
import type { Page, PageRequest } from './page';

export interface MessageRecord {
  tenantId: string;
  id: string;
  sessionId: string;
  runId: string;
  runOrdinal: number;
  /** Position inside the run, from 0 (the user's message). History is ordered by (runOrdinal, position). */
  position: number;
  /** The message as it goes to the model; the same object, not a copy. */
  message: ChatMessage;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** Position of a message in the history of its session. */
export type MessagePlace = Pick<MessageRecord, 'runOrdinal' | 'position'>;

/** Size of a message. `bytes`: length of the message as JSON. `isSummarised`: the summary of the session covers the message. */
export type MessageSize = MessagePlace & { bytes: number; isSummarised?: true };

export type MessageOrder = 'asc' | 'desc';

export interface MessageReader {
  get(tenantId: string, id: string): Promise<MessageRecord | undefined>;
  /**
   * Reads the history of a session, in order, without the messages of runs that were cancelled before they started. `from`: the message to begin
   * with; absent: the first.
   */
  history(tenantId: string, sessionId: string, from?: MessagePlace): Promise<MessageRecord[]>;
  /** The first message of a run in this session, also of a run that was copied from another session. */
  beginningOf(tenantId: string, sessionId: string, runId: string): Promise<MessageRecord | undefined>;
  /** The messages of one run of the session, in order. */
  ofRun(tenantId: string, sessionId: string, runOrdinal: number): Promise<MessageRecord[]>;
  /** The sizes of the newest messages, at most `limit`, newest first; without those of runs after `lastOrdinal`. */
  sizes(tenantId: string, sessionId: string, lastOrdinal: number, limit: number): Promise<MessageSize[]>;
  /**
   * Lists all messages of the session: `asc` (the default) oldest first, `desc` newest first. A cursor is valid only for the order in which it was
   * made. `after`: without a cursor, the page begins behind this message.
   */
  list(
    tenantId: string,
    sessionId: string,
    page: PageRequest & { after?: MessagePlace },
    order?: MessageOrder,
  ): Promise<Page<MessageRecord>>;
}

export interface MessageWriter {
  /** Rejects with `internal` when an id or a place (session, runOrdinal, position) is taken, or the session does not exist. */
  insert(messages: MessageRecord[]): Promise<void>;
  /**
   * Replaces a message of the history; undefined deletes it. Raises the session's history version, and removes a summary that covers the message. Resolves
   * false when the message does not exist. Call it only while the session has no unfinished run.
   */
  change(tenantId: string, id: string, message: ChatMessage | undefined): Promise<boolean>;
}
