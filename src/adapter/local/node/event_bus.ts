/** The event bus of one process: delivers by function call. */
import type { EventBus, EventSubscription, RunEventReader } from '../../../port/event_bus';
import type { RunEvent } from '../../../port/run_event';

export interface LocalEventBusOptions {
  /** Called with the error of a listener, which is unsubscribed already. Must not throw. */
  onListenerError?: (thrown: unknown) => void;
}

/** Creates the event bus of this process. */
export const createLocalEventBus = (options: LocalEventBusOptions = {}): LocalEventBus => new LocalEventBus(options);

interface Subscriber {
  readonly reader: RunEventReader;
  isActive: boolean;
}

/** State of a session; removed once it has neither subscribers nor live events. */
interface Channel {
  /** Replaced by every change, so that a delivery in progress keeps its own list. */
  subscribers: readonly Subscriber[];
  /** Events of each run that are not stored yet, without a gap. Their number is bounded, because the writer stores events at intervals. */
  readonly live: Map<string, RunEvent[]>;
}

export class LocalEventBus implements EventBus {
  private readonly channels = new Map<string, Channel>();
  /** Batches that a listener published during delivery: every listener gets them after the current batch. */
  private readonly pending: (readonly RunEvent[])[] = [];
  private isDelivering = false;

  constructor(private readonly options: LocalEventBusOptions = {}) {}

  publish(events: readonly RunEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.markStored(last.sessionId, last.runId, last.seq);
    this.send(events);
  }

  publishLive(events: readonly RunEvent[]): void {
    const [first] = events;
    if (!first) return;
    const { live } = this.openChannel(first.sessionId);
    const earlier = live.get(first.runId);
    if (earlier) earlier.push(...events);
    else live.set(first.runId, [...events]);
    this.send(events);
  }

  markStored(sessionId: string, runId: string, throughSeq: number): void {
    const channel = this.channels.get(sessionId);
    const live = channel?.live.get(runId);
    const [first] = live ?? [];
    if (!channel || !live || !first) return;
    const stored = throughSeq - first.seq + 1;
    if (stored >= live.length) channel.live.delete(runId);
    else if (stored > 0) live.splice(0, stored);
    this.removeIfIdle(sessionId, channel);
  }

  withdraw(sessionId: string, runId: string): void {
    const channel = this.channels.get(sessionId);
    const [first] = channel?.live.get(runId) ?? [];
    if (!channel || !first) return;
    channel.live.delete(runId);
    for (const subscriber of channel.subscribers) if (subscriber.isActive) subscriber.reader.withdrawn?.(runId, first.seq - 1);
    this.removeIfIdle(sessionId, channel);
  }

  async subscribe(sessionId: string, reader: RunEventReader): Promise<EventSubscription> {
    const channel = this.openChannel(sessionId);
    const subscriber = { reader, isActive: true };
    channel.subscribers = [...channel.subscribers, subscriber];
    return {
      live: [...channel.live.values()].flat(),
      stop: () => this.remove(sessionId, channel, subscriber),
    };
  }

  /** Tells the readers of the session to read the store again. */
  tellMissed(sessionId: string): void {
    for (const subscriber of this.channels.get(sessionId)?.subscribers ?? []) if (subscriber.isActive) subscriber.reader.missed?.();
  }

  /** Returns the live events of each run of the session. */
  liveRuns(sessionId: string): ReadonlyMap<string, readonly RunEvent[]> {
    return this.channels.get(sessionId)?.live ?? new Map();
  }

  private send(events: readonly RunEvent[]): void {
    this.pending.push(events);
    if (this.isDelivering) return;
    this.isDelivering = true;
    for (const batch of this.pending) this.deliver(batch);
    this.pending.length = 0;
    this.isDelivering = false;
  }

  private deliver(events: readonly RunEvent[]): void {
    const sessionId = events[0]?.sessionId ?? '';
    const channel = this.channels.get(sessionId);
    if (!channel) return;
    for (const subscriber of channel.subscribers) {
      if (!subscriber.isActive) continue;
      try {
        subscriber.reader.events(events);
      } catch (thrown) {
        this.remove(sessionId, channel, subscriber);
        this.options.onListenerError?.(thrown);
      }
    }
  }

  private remove(sessionId: string, channel: Channel, subscriber: Subscriber): void {
    subscriber.isActive = false;
    channel.subscribers = channel.subscribers.filter(other => other !== subscriber);
    this.removeIfIdle(sessionId, channel);
  }

  private openChannel(sessionId: string): Channel {
    const known = this.channels.get(sessionId);
    if (known) return known;
    const channel: Channel = { subscribers: [], live: new Map() };
    this.channels.set(sessionId, channel);
    return channel;
  }

  private removeIfIdle(sessionId: string, channel: Channel): void {
    const isIdle = channel.subscribers.length === 0 && channel.live.size === 0;
    if (isIdle && this.channels.get(sessionId) === channel) this.channels.delete(sessionId);
  }
}
