/** Holds the subscriptions of one socket and sends their events to it. */
import type { Socket } from 'socket.io';
import type { SessionNotice } from '../service/access/session_notice';
import type { Looking } from '../service/access/session_presence';
import type { EventSink } from '../service/run_log/event_sink';
import type { RunSubscription, SubscriptionRequest } from '../service/run_log/run_subscription';
import { EventPackets } from './event_packets';
import { isReaderSlow, waitForReader } from './socket_backpressure';

const MAX_SESSIONS = 64;

type SessionKey = Pick<SubscriptionRequest, 'tenantId' | 'sessionId'>;

export interface SubscriptionDeps {
  createSubscription(request: SubscriptionRequest, sink: EventSink): RunSubscription;
  /** Tells others that the socket looks at the session, and `tell` of them. */
  look(session: SessionKey, tell: (notice: SessionNotice) => boolean): Looking;
  /** Number of sent events by type. */
  sentEvents: Map<string, number>;
}

export class SessionSubscriptions {
  private readonly subscriptions = new Map<string, RunSubscription>();
  /** Session -> what says that the socket looks at it. */
  private readonly looks = new Map<string, Looking>();
  private readonly packets: EventPackets;
  /** Snapshots that were sent in place of lost events. */
  private resets = 0;

  constructor(
    private readonly socket: Socket,
    private readonly deps: SubscriptionDeps,
  ) {
    this.packets = new EventPackets(socket);
  }

  has(sessionId: string): boolean {
    return this.subscriptions.has(sessionId);
  }

  /**
   * Replays events from the cursor, then sends live events. Replaces an earlier subscription to the session; when the socket follows more than 64
   * sessions, the oldest subscription ends. Resolves with how the reader got its missed events; `resync` means by a snapshot.
   */
  async subscribe(request: SubscriptionRequest): Promise<'replayed' | 'resync'> {
    const { resets } = this;
    const subscription = this.open(request);
    if (subscription) await this.start(subscription, request);
    return this.resets > resets ? 'resync' : 'replayed';
  }

  /**
   * Subscribes before the run has published an event, so that nothing is read back: many sockets that start runs at once would wait for one
   * another's reads. Events wait until the caller starts the subscription.
   */
  async join(request: SubscriptionRequest): Promise<RunSubscription | undefined> {
    const subscription = this.open(request);
    await subscription?.join();
    return subscription;
  }

  /** Starts what `join` has returned. From now on others see that the socket looks at the session. */
  async start(subscription: RunSubscription, { tenantId, sessionId }: SessionKey): Promise<void> {
    if (this.subscriptions.get(sessionId) === subscription) {
      const looking = this.deps.look({ tenantId, sessionId }, notice => this.tell(notice));
      this.looks.set(sessionId, looking);
      void subscription.ended.then(() => looking.leave());
    }
    await subscription.start();
  }

  /** Returns what says that the socket looks at the session. Undefined when it does not. */
  lookingAt(sessionId: string): Looking | undefined {
    return this.subscriptions.has(sessionId) ? this.looks.get(sessionId) : undefined;
  }

  private open(request: SubscriptionRequest): RunSubscription | undefined {
    // The socket may have closed while its message was handled; then no disconnect would stop the subscription.
    if (!this.socket.connected) return undefined;
    this.stop(request.sessionId);
    const [oldest] = this.subscriptions.keys();
    if (oldest !== undefined && this.subscriptions.size >= MAX_SESSIONS) this.stop(oldest);
    const subscription = this.deps.createSubscription(request, events => this.send(events));
    this.subscriptions.set(request.sessionId, subscription);
    this.noteSessions();
    // Forget a subscription that ended by itself.
    void subscription.ended.then(() => {
      if (this.subscriptions.get(request.sessionId) === subscription) this.forget(request.sessionId);
      this.noteSessions();
    });
    return subscription;
  }

  /** Tells the list of connections how many sessions the socket follows. */
  private noteSessions(): void {
    this.socket.data.sessions = this.subscriptions.size;
  }

  private stop(sessionId: string): void {
    this.subscriptions.get(sessionId)?.stop();
    this.forget(sessionId);
  }

  private forget(sessionId: string): void {
    this.subscriptions.delete(sessionId);
    this.looks.delete(sessionId);
  }

  stopAll(): void {
    for (const subscription of this.subscriptions.values()) subscription.stop();
    this.subscriptions.clear();
    this.looks.clear();
  }

  /** Sends events. While the buffer of the socket is full, waits for the reader and encodes nothing. */
  private send(events: Parameters<EventSink>[0]): Promise<void> | void {
    for (const [i, event] of events.entries()) {
      if (isReaderSlow(this.socket)) return waitForReader(this.socket).then(() => this.send(events.slice(i)));
      if (!this.socket.connected) return;
      this.packets.add(event);
      if (event.type === 'replay_reset') this.resets += 1;
      const { sentEvents } = this.deps;
      sentEvents.set(event.type, (sentEvents.get(event.type) ?? 0) + 1);
    }
  }

  /** Returns false without sending while the buffer of the socket is full. */
  private tell(notice: SessionNotice): boolean {
    // The change of participants is small and rare.
    if (notice.type === 'presence' && isReaderSlow(this.socket)) return false;
    if (this.socket.connected) this.packets.add(notice);
    return true;
  }
}
