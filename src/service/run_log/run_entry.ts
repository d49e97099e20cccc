/** An entry waits in the writer of a run until it is published and stored. */
import type { ChatMessage } from '../../port/llm';
import type { RunEvent, RunEventBody } from '../../port/run_event';
import type { StoreTransaction } from '../../port/store/store';

/** Makes more writes in the transaction that stores an event. Called again when the transaction is retried. */
export type AlsoWrite = (tx: StoreTransaction) => Promise<void>;

/** A write beside an event. `onError` is called when the event could only be stored without this write. */
export interface ExtraWrite {
  write: AlsoWrite;
  onError: (thrown: unknown) => void;
}

/**
 * An entry in the queue of a writer. `barrier`: settles when the entry is stored; nothing behind the entry is published before. An entry without a
 * body is only waited for.
 */
export interface Entry {
  body?: RunEventBody;
  message?: ChatMessage;
  also?: AlsoWrite;
  /** True when the writer merged several deltas into `body`; the writer then owns the data and may change it. */
  isMerged?: boolean;
  barrier?: { resolve: () => void; reject: (error: unknown) => void };
}

/** `at`: milliseconds since 1970. */
export interface NumberedEntry extends Pick<Entry, 'message' | 'also'> {
  event: RunEvent;
  at: number;
}
