/** Carries the events of running runs to whoever listens, on this node (embedded) or on any (scaled). */
import type { RunEvent } from './run_event';

export type RunEventListener = (event: RunEvent) => void;

export interface EventBus {
  /** Fans out events of one run, in seq order. Events that are not stored yet (deltas) stay readable by `live` until they are settled. */
  publish(events: readonly RunEvent[]): void;
  /** Events of the run that were published but are not in the store yet, in order. */
  live(runId: string): readonly RunEvent[];
  /** Everything of the run up to this seq is in the store now. */
  settle(runId: string, throughSeq: number): void;
  /** Events of every run of the session from now on, in order. Returns how to stop. */
  subscribe(sessionId: string, listener: RunEventListener): () => void;
}
