/** The event bus of one process: delivers by function call. */
import type { EventBus, EventSubscription, RunEventListener } from '../../port/event_bus';
import { isDelta, type RunEvent } from '../../port/run_event';

export interface LocalEventBusOptions {
  /** Called with the error of a listener, which is unsubscribed already. Must not throw. */
  onListenerError?: (thrown: unknown) => void;
}

export function createLocalEventBus(options: LocalEventBusOptions = {}): EventBus {
  return new LocalEventBus(options);
}

/** State of a session; removed once it has neither listeners nor live deltas. */
interface Channel {
  /** Entries instead of functions, because the same function may subscribe twice. */
  readonly listeners: Set<{ readonly listener: RunEventListener }>;
  /** Deltas of each run that are not stored yet. Their number is bounded, because the writer stores them at intervals. */
  readonly live: Map<string, RunEvent[]>;
}

class LocalEventBus implements EventBus {
  private readonly channels = new Map<string, Channel>();
  /** Events that a listener published during delivery: every listener gets them after the current event. */
  private readonly pending: RunEvent[] = [];
  private isDelivering = false;

  constructor(private readonly options: LocalEventBusOptions) {}

  publish(events: readonly RunEvent[]): void {
    for (const event of events) if (isDelta(event)) this.keepLive(event);
    this.pending.push(...events);
    if (this.isDelivering) return;
    this.isDelivering = true;
    for (let event = this.pending.shift(); event; event = this.pending.shift()) this.deliver(event);
    this.isDelivering = false;
  }

  markStored(sessionId: string, runId: string, throughSeq: number): void {
    const channel = this.channels.get(sessionId);
    const live = channel?.live.get(runId);
    if (!channel || !live) return;
    const firstUnstored = live.findIndex(event => event.seq > throughSeq);
    if (firstUnstored === -1) channel.live.delete(runId);
    else live.splice(0, firstUnstored);
    this.removeIfIdle(sessionId, channel);
  }

  async subscribe(sessionId: string, listener: RunEventListener): Promise<EventSubscription> {
    const channel = this.openChannel(sessionId);
    const entry = { listener };
    channel.listeners.add(entry);
    return {
      live: [...channel.live.values()].flat(),
      stop: () => {
        channel.listeners.delete(entry);
        this.removeIfIdle(sessionId, channel);
      },
    };
  }

  private deliver(event: RunEvent): void {
    const channel = this.channels.get(event.sessionId);
    if (!channel) return;
    // Copy the set: a listener that subscribes during delivery finds the event in `live` or in the store, not here too.
    for (const entry of [...channel.listeners]) {
      if (!channel.listeners.has(entry)) continue;
      try {
        entry.listener(event);
      } catch (thrown) {
        channel.listeners.delete(entry);
        this.options.onListenerError?.(thrown);
      }
    }
    this.removeIfIdle(event.sessionId, channel);
  }

  private keepLive(event: RunEvent): void {
    const { live } = this.openChannel(event.sessionId);
    const deltas = live.get(event.runId);
    if (deltas) deltas.push(event);
    else live.set(event.runId, [event]);
  }

  private openChannel(sessionId: string): Channel {
    const known = this.channels.get(sessionId);
    if (known) return known;
    const channel: Channel = { listeners: new Set(), live: new Map() };
    this.channels.set(sessionId, channel);
    return channel;
  }

  private removeIfIdle(sessionId: string, channel: Channel): void {
    const isIdle = channel.listeners.size === 0 && channel.live.size === 0;
    if (isIdle && this.channels.get(sessionId) === channel) this.channels.delete(sessionId);
  }
}
