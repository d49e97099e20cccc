/** Receives everything that the loop does, as events. The run writer implements it. */
import type { ChatMessage } from '../port/llm';
import type { DeltaBody, RunEventBody } from '../port/run_event';

export interface RunJournal {
  /** Sends a delta to live readers. Returns at once. Deltas of one event loop turn are merged. */
  delta(body: DeltaBody): void;
  /**
   * Stores the event and the history message that it completes in one write. Resolves once both are durable and the event was published.
   * Events keep the order of the calls. After a failed write, this and all later calls reject with `store_unavailable`.
   */
  record(body: Exclude<RunEventBody, DeltaBody>, message?: ChatMessage): Promise<void>;
}
