/** Receives everything that the loop does, as events. The run writer implements it. */
import type { ChatMessage } from '../port/llm';
import type { DeltaBody, RunEventBody } from '../port/run_event';

/** Any event but a delta. */
export type RecordBody = Exclude<RunEventBody, DeltaBody>;

/** Events keep the order of the calls, whichever method they come by. */
export interface RunJournal {
  /** Sends a delta to live readers. Returns at once. Deltas of one event loop turn are merged. */
  delta(body: DeltaBody): void;
  /**
   * Sends an event that a crash may undo, because the run then repeats what led to it. It is stored soon, together with the history message
   * that it completes; the caller does not wait. Throws the error of a failed write.
   */
  append(body: RecordBody, message?: ChatMessage): void;
  /**
   * Stores an event that a crash must not undo, with its message and everything that was sent before it. Resolves once all of it is durable
   * and the event was published; readers do not see it earlier. After a failed write, this and all later calls reject with the same error.
   */
  record(body: RecordBody, message?: ChatMessage): Promise<void>;
}
