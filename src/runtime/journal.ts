/** The loop's one way out: everything it does becomes an event in here. The run log implements it. */
import type { ChatMessage } from '../port/llm';
import type { DeltaBody, RunEventBody } from '../port/run_event';

export interface RunJournal {
  /** A live piece. Returns at once; pieces that come in one turn of the event loop are merged. */
  delta(body: DeltaBody): void;
  /**
   * Stores the event, and the message of the history that it completes, in one write; resolves once both are durable and the event was
   * sent on. Events keep the order of the calls. Once a write has failed, this and all later calls reject with `store_unavailable`.
   */
  record(body: Exclude<RunEventBody, DeltaBody>, message?: ChatMessage): Promise<void>;
}
