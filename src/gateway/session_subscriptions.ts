/** The sessions that one socket follows, and how their events reach it. */
import type { Socket } from 'socket.io';
import type { EventSink, RunSubscription, SubscriptionRequest } from '../service/run/run_subscription';
import { sendEvent } from './event_packets';

/** Bytes that may wait on a connection before the reader counts as slow, and is waited for; as many again may be on their way. */
const HIGH_WATER_BYTES = 256 * 1024;
/** Small events between two looks at what waits. */
const LOOK_EVERY = 16;
const MAX_SESSIONS = 64;

export class SessionSubscriptions {
  private readonly followers = new Map<string, RunSubscription>();

  constructor(
    private readonly socket: Socket,
    private readonly createFollower: (request: SubscriptionRequest, sink: EventSink) => RunSubscription,
  ) {}

  has(sessionId: string): boolean {
    return this.followers.has(sessionId);
  }

  /** Replays from the cursor and goes live; an earlier subscription of the same session ends, and the oldest one when there are too many. */
  async follow(request: SubscriptionRequest): Promise<void> {
    // The socket may have gone while its message was worked on; nobody would stop the follower then.
    if (!this.socket.connected) return;
    this.stop(request.sessionId);
    const [oldest] = this.followers.keys();
    if (oldest !== undefined && this.followers.size >= MAX_SESSIONS) this.stop(oldest);
    const follower = this.createFollower(request, events => this.send(events));
    this.followers.set(request.sessionId, follower);
    // One that ended by itself must not look as if it still followed.
    void follower.ended.then(() => this.followers.get(request.sessionId) === follower && this.followers.delete(request.sessionId));
    await follower.start();
  }

  private stop(sessionId: string): void {
    this.followers.get(sessionId)?.stop();
    this.followers.delete(sessionId);
  }

  stopAll(): void {
    for (const follower of this.followers.values()) follower.stop();
    this.followers.clear();
  }

  /** Hands events over; while enough is on its way it waits for the connection, and encodes nothing. */
  private async send(events: Parameters<EventSink>[0]): Promise<void> {
    for (const [i, event] of events.entries()) {
      const isSmall = event.type === 'text_delta' || event.type === 'reasoning_delta';
      if ((!isSmall || i % LOOK_EVERY === 0) && this.isFull) await this.waitForRoom();
      if (!this.socket.connected) return;
      sendEvent(this.socket.conn, event);
    }
    if (this.isFull) await this.waitForRoom();
  }

  private get isFull(): boolean {
    const { conn } = this.socket;
    return conn.readyState === 'open' && waitingBytes(conn) > HIGH_WATER_BYTES;
  }

  /** Several sessions may wait for the same connection, so each looks again when it has drained. */
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

/** The transport keeps what it could not send yet here; the types call it private, the documentation does not. */
function waitingBytes(conn: Socket['conn']): number {
  const { writeBuffer } = conn as unknown as { writeBuffer: { data?: unknown }[] };
  return writeBuffer.reduce((sum, packet) => sum + (typeof packet.data === 'string' ? packet.data.length : 0), 0);
}
