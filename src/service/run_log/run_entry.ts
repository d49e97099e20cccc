/** An entry waits in the writer of a run until it is published and stored. */
import type { ChatMessage } from '../../port/llm';
import type { RunEvent, RunEventBody } from '../../port/run_event';
import type { StoreTransaction } from '../../port/store/store';

/** More writes for the transaction that stores an event. A retried transaction calls it again. */
export type AlsoWrite = (tx: StoreTransaction) => Promise<void>;

/** `onError` is called when the events could only be stored without it. */
export interface ExtraWrite {
  write: AlsoWrite;
  onError: (thrown: unknown) => void;
}

/** `barrier`: settles when the entry is stored; nothing behind it is published before. Without a body the entry only waits. */
export interface Entry {
  body?: RunEventBody;
  message?: ChatMessage;
  also?: AlsoWrite;
  /** The writer made the body of several deltas, owns its data and may change it. */
  isMerged?: boolean;
  barrier?: { resolve: () => void; reject: (error: unknown) => void };
}

/** `at`: milliseconds since 1970. */
export interface NumberedEntry extends Pick<Entry, 'message' | 'also'> {
  event: RunEvent;
  at: number;
}
