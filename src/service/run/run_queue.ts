/** Sessions whose next run waits for a slot. Keys take turns, so that a key with many sessions does not hold up the others. */
import { actorId } from '../../port/principal';
import type { QueuedSession } from '../../port/store/runs';

/** `arrival`: the number of the session among all that were added. */
export interface WaitingSession extends QueuedSession {
  arrival: number;
}

interface KeyQueue {
  tenantId: string;
  /** Session id -> session, first come, first served. */
  sessions: Map<string, WaitingSession>;
  /** The key or its tenant executes as many runs as it may at once. */
  isHeld: boolean;
}

export class RunQueue {
  /** Queues by key; the first queue that is not held has the next turn. */
  private readonly keys = new Map<string, KeyQueue>();
  private arrivals = 0;

  /** Adds a session, or leaves it where it is. */
  addSession(session: QueuedSession): void {
    const id = actorId(session);
    const queue = this.keys.get(id) ?? { tenantId: session.tenantId, sessions: new Map(), isHeld: false };
    this.keys.set(id, queue);
    if (!queue.sessions.has(session.sessionId)) queue.sessions.set(session.sessionId, { ...session, arrival: ++this.arrivals });
  }

  /** True when a session may have its turn. */
  get hasNext(): boolean {
    for (const { isHeld } of this.keys.values()) if (!isHeld) return true;
    return false;
  }

  /** Takes the next session out of the queue; its key then comes last. */
  takeNext(): WaitingSession | undefined {
    for (const [id, queue] of this.keys) {
      if (queue.isHeld) continue;
      const [session] = queue.sessions.values();
      this.keys.delete(id);
      if (!session) continue;
      queue.sessions.delete(session.sessionId);
      if (queue.sessions.size > 0) this.keys.set(id, queue);
      return session;
    }
    return undefined;
  }

  /** Puts a session back at its place, and lets its key wait until a run of the tenant has ended. */
  holdKey(session: WaitingSession): void {
    const id = actorId(session);
    const others = [...(this.keys.get(id)?.sessions.values() ?? [])].filter(({ sessionId }) => sessionId !== session.sessionId);
    // A session that was added while an earlier one had its turn may be put back first.
    const inOrder = [session, ...others].sort((a, b) => a.arrival - b.arrival);
    const sessions = new Map(inOrder.map(waiting => [waiting.sessionId, waiting]));
    this.keys.set(id, { tenantId: session.tenantId, sessions, isHeld: true });
  }

  /** Gives the keys of a tenant their turns again; without a tenant all keys. */
  releaseKeys(tenantId?: string): void {
    for (const queue of this.keys.values()) if (tenantId === undefined || queue.tenantId === tenantId) queue.isHeld = false;
  }
}
