/** Carries the events of running runs to whoever listens, on this node (embedded) or on any (scaled). */
import type { RunEvent } from './run_event';

export type RunEventListener = (event: RunEvent) => void;

export interface EventSubscription {
  /**
   * Events of the session that were published before this subscription and are not in the store yet, in order. Taken in the same instant as
   * the subscription began: store + live + what the listener gets is everything.
   */
  live: readonly RunEvent[];
  stop(): void;
}

export interface EventBus {
  /** Fans out events of one run, in seq order. What is not stored yet (deltas) stays `live` until it is settled. */
  publish(events: readonly RunEvent[]): void;
  /** Everything of the run up to this seq is in the store now. */
  settle(sessionId: string, runId: string, throughSeq: number): void;
  /** Events of every run of the session from now on, in order. A listener that throws is dropped; it never hurts the others. */
  subscribe(sessionId: string, listener: RunEventListener): Promise<EventSubscription>;
}
