/** The event bus of one process: plain calls, nothing leaves the process. */
import type { EventBus, EventSubscription, RunEventListener } from '../../port/event_bus';
import { isDelta, type RunEvent } from '../../port/run_event';

export interface LocalEventBusOptions {
  /** Told what a listener threw; the listener is dropped already. Must not throw. */
  onListenerError?: (thrown: unknown) => void;
}

export function createLocalEventBus(options: LocalEventBusOptions = {}): EventBus {
  return new LocalEventBus(options);
}

/** What the bus knows of a session; it is forgotten when nobody listens and nothing is live. */
interface Channel {
  /** Entries, not functions: the same function may listen twice. */
  readonly listeners: Set<{ readonly listener: RunEventListener }>;
  /** Deltas of each run that are not stored yet. The writer bounds their number: it stores them in time. */
  readonly live: Map<string, RunEvent[]>;
}

class LocalEventBus implements EventBus {
  private readonly channels = new Map<string, Channel>();
  /** Events that wait because a listener published while it was being called: everybody sees them after the current one. */
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
    this.forgetWhenIdle(sessionId, channel);
  }

  async subscribe(sessionId: string, listener: RunEventListener): Promise<EventSubscription> {
    const channel = this.channelOf(sessionId);
    const entry = { listener };
    channel.listeners.add(entry);
    return {
      live: [...channel.live.values()].flat(),
      stop: () => {
        channel.listeners.delete(entry);
        this.forgetWhenIdle(sessionId, channel);
      },
    };
  }

  private deliver(event: RunEvent): void {
    const channel = this.channels.get(event.sessionId);
    if (!channel) return;
    // A copy: who comes while the event is delivered finds it in `live` or the store, not here as well.
    for (const entry of [...channel.listeners]) {
      if (!channel.listeners.has(entry)) continue;
      try {
        entry.listener(event);
      } catch (thrown) {
        channel.listeners.delete(entry);
        this.options.onListenerError?.(thrown);
      }
    }
    this.forgetWhenIdle(event.sessionId, channel);
  }

  private keepLive(event: RunEvent): void {
    const { live } = this.channelOf(event.sessionId);
    const ofRun = live.get(event.runId);
    if (ofRun) ofRun.push(event);
    else live.set(event.runId, [event]);
  }

  private channelOf(sessionId: string): Channel {
    const known = this.channels.get(sessionId);
    if (known) return known;
    const channel: Channel = { listeners: new Set(), live: new Map() };
    this.channels.set(sessionId, channel);
    return channel;
  }

  private forgetWhenIdle(sessionId: string, channel: Channel): void {
    const isIdle = channel.listeners.size === 0 && channel.live.size === 0;
    if (isIdle && this.channels.get(sessionId) === channel) this.channels.delete(sessionId);
  }
}
