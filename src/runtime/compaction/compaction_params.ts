/** Parameters of compaction: when a request would fill too much of the context window, the model summarises the older turns. */
import type { TokenMeter } from './token_meter';

/** A summary that replaces the beginning of the history. */
export interface WrittenSummary {
  text: string;
  /** Index in the history of the first message that the summary does not cover. */
  upTo: number;
  /** Tokens of the request with the messages, and with the summary in their place. */
  beforeTokens: number;
  afterTokens: number;
  /** Number of messages that the summary replaces. */
  messages: number;
}

/** The parts of a run that compaction uses. */
export interface Compaction {
  /** Share of the context window that a request may fill, 0 to 1. */
  readonly share: number;
  readonly meter: TokenMeter;
  /** True when a summary failed in this run or shortly before. The run then leaves out messages that do not fit and tries no other summary. */
  hasFailed: boolean;
  /** Stores the summary with its event. Rejects as RunJournal.record does. */
  save(summary: WrittenSummary): Promise<void>;
  onSummaryFailed(thrown: unknown): void;
  /** Called when the tokenizer failed and the estimate takes its place. */
  onCountFailed(thrown: unknown): void;
}
