/** Sends the events of running runs to their readers, on this node (embedded) or on every node (scaled). */
import type { RunEvent } from './run_event';

/** Hears the events of a session. */
export interface RunEventReader {
  /** Called with events of one run, at least one, in seq order. */
  events(events: readonly RunEvent[]): void;
  /** Called when the events of a run behind seq `storedSeq` were published, were not stored and never will be. */
  withdrawn?(runId: string, storedSeq: number): void;
  /** Called when the store may have events of the session that were not published here, such as those of another node. */
  missed?(): void;
}

export interface EventSubscription {
  /**
   * Events of the session that were published before the subscription began and are not in the store yet, in order. A reader that
   * reads the store, `live` and then its own events misses none; it may see an event twice, in the store and in `live`.
   */
  live: readonly RunEvent[];
  /** Ends the subscription. No event follows. */
  stop(): void;
}

/**
 * @example
 * import type { EventBus } from './event_bus';
 * import type { RunEvent } from './run_event';
 *
 * // Follows a session: first the events that are not stored yet, then the new ones.
 * export async function follow(bus: EventBus, sessionId: string): Promise<() => void> {
 *   const show = (events: readonly RunEvent[]) => events.forEach(event => console.log(event.seq, event.type));
 *   const { live, stop } = await bus.subscribe(sessionId, { events: show });
 *   show(live);
 *   return stop;
 * }
 */
export interface EventBus {
  /**
   * Sends stored events of one run to the readers of its session, in seq order. Every earlier event of the run is stored too, so none of
   * them is `live` any more. `epoch`: that of the run here; what an earlier owner of the run still sends is dropped. Returns at once.
   */
  publish(events: readonly RunEvent[], epoch?: number): void;
  /** Sends events of one run before they are stored, in seq order. They stay `live` until they are stored or withdrawn. Returns at once. */
  publishLive(events: readonly RunEvent[], epoch?: number): void;
  /** Drops the live events of the run up to this seq: they are in the store now. */
  markStored(sessionId: string, runId: string, throughSeq: number): void;
  /**
   * Drops all live events of the run and tells the readers of its session that these events will never be stored. Does nothing when the run has no
   * live events.
   */
  withdraw(sessionId: string, runId: string): void;
  /** Calls the reader with every later event of the session, in order, as many at once as were published. Drops a reader that throws; the others still get the events. */
  subscribe(sessionId: string, reader: RunEventReader): Promise<EventSubscription>;
}
