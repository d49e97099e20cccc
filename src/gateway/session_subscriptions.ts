/** The sessions that one socket follows, and how their events reach it. */
import type { Socket } from 'socket.io';
import type { EventSink, FollowRequest, RunFollower } from '../service/run_follower';

/** Packets that may wait on a connection before the reader counts as slow, and is waited for. */
const HIGH_WATER = 256;
const MAX_SESSIONS = 64;

export class SessionSubscriptions {
  private readonly followers = new Map<string, RunFollower>();

  constructor(
    private readonly socket: Socket,
    private readonly createFollower: (request: FollowRequest, sink: EventSink) => RunFollower,
  ) {}

  has(sessionId: string): boolean {
    return this.followers.has(sessionId);
  }

  /** Replays from the cursor and goes live; an earlier subscription of the same session ends, and the oldest one when there are too many. */
  async follow(request: FollowRequest): Promise<void> {
    this.stop(request.sessionId);
    const [oldest] = this.followers.keys();
    if (oldest !== undefined && this.followers.size >= MAX_SESSIONS) this.stop(oldest);
    const follower = this.createFollower(request, events => this.send(events));
    this.followers.set(request.sessionId, follower);
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

  private send(events: Parameters<EventSink>[0]): Promise<void> | void {
    for (const event of events) this.socket.emit('message', event);
    const { conn } = this.socket;
    if (waitingPackets(conn) < HIGH_WATER) return;
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
}

/** The transport keeps what it could not send yet here; the types call it private, the documentation does not. */
const waitingPackets = (conn: Socket['conn']): number => (conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length;
