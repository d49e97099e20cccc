/** Holds the subscriptions of one socket and sends their events to it. */
import type { Socket } from 'socket.io';
import type { EventSink, RunSubscription, SubscriptionRequest } from '../service/run/run_subscription';
import { sendEvent } from './event_packets';

/** Bytes buffered on a connection before its reader counts as slow. Sending pauses then; as many bytes again may be in flight. */
const HIGH_WATER_BYTES = 256 * 1024;
/** Small events sent between two checks of the buffer. */
const CHECK_EVERY = 16;
const MAX_SESSIONS = 64;

export class SessionSubscriptions {
  private readonly subscriptions = new Map<string, RunSubscription>();

  constructor(
    private readonly socket: Socket,
    private readonly createSubscription: (request: SubscriptionRequest, sink: EventSink) => RunSubscription,
  ) {}

  has(sessionId: string): boolean {
    return this.subscriptions.has(sessionId);
  }

  /** Replays events from the cursor, then sends live ones. Replaces an earlier subscription to the session; over 64 sessions the oldest ends. */
  async subscribe(request: SubscriptionRequest): Promise<void> {
    // The socket may have closed while its message was handled; nothing would stop the subscription then.
    if (!this.socket.connected) return;
    this.stop(request.sessionId);
    const [oldest] = this.subscriptions.keys();
    if (oldest !== undefined && this.subscriptions.size >= MAX_SESSIONS) this.stop(oldest);
    const subscription = this.createSubscription(request, events => this.send(events));
    this.subscriptions.set(request.sessionId, subscription);
    // Forget a subscription that ended by itself.
    void subscription.ended.then(
      () => this.subscriptions.get(request.sessionId) === subscription && this.subscriptions.delete(request.sessionId),
    );
    await subscription.start();
  }

  private stop(sessionId: string): void {
    this.subscriptions.get(sessionId)?.stop();
    this.subscriptions.delete(sessionId);
  }

  stopAll(): void {
    for (const subscription of this.subscriptions.values()) subscription.stop();
    this.subscriptions.clear();
  }

  /** Sends events. While the buffer is full it waits for the connection and encodes nothing. */
  private async send(events: Parameters<EventSink>[0]): Promise<void> {
    for (const [i, event] of events.entries()) {
      const isSmall = event.type === 'text_delta' || event.type === 'reasoning_delta';
      if ((!isSmall || i % CHECK_EVERY === 0) && this.isFull) await this.waitForRoom();
      if (!this.socket.connected) return;
      sendEvent(this.socket.conn, event);
    }
    if (this.isFull) await this.waitForRoom();
  }

  private get isFull(): boolean {
    const { conn } = this.socket;
    return conn.readyState === 'open' && bufferedBytes(conn) > HIGH_WATER_BYTES;
  }

  /** Several sessions may wait for the same connection, so each checks again after a drain. */
  private async waitForRoom(): Promise<void> {
    while (this.isFull) await drained(this.socket.conn);
  }
}

function drained(conn: Socket['conn']): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      conn.off('drain', done);
      conn.off('close', done);
      resolve();
    };
    conn.on('drain', done);
    conn.on('close', done);
  });
}

/** Engine.IO documents writeBuffer, the packets not sent yet; its types declare it private. */
function bufferedBytes(conn: Socket['conn']): number {
  const { writeBuffer } = conn as unknown as { writeBuffer: { data?: unknown }[] };
  return writeBuffer.reduce((sum, packet) => sum + (typeof packet.data === 'string' ? packet.data.length : 0), 0);
}
