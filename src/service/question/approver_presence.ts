/** Counts the connections that follow a session and can show an approval, here and at the other gateways on the store. */
import type { NodeBus } from '../../port/node_bus';
import type { SessionKey } from './question_resolvers';

export class ApproverPresence {
  private readonly connections = new Map<string, number>();

  constructor(private readonly nodeBus: Pick<NodeBus, 'announce' | 'isAnnounced'>) {}

  /** Counts a connection that follows the session. Call the returned function when the connection leaves. */
  join(session: SessionKey): () => void {
    const key = keyOf(session);
    this.connections.set(key, (this.connections.get(key) ?? 0) + 1);
    const unannounce = this.nodeBus.announce('approvers', key);
    return () => {
      unannounce();
      const left = (this.connections.get(key) ?? 0) - 1;
      if (left > 0) this.connections.set(key, left);
      else this.connections.delete(key);
    };
  }

  /** Returns true when a connection of this gateway or of another one on the store can show an approval. */
  isPresent(session: SessionKey): boolean {
    const key = keyOf(session);
    return this.connections.has(key) || this.nodeBus.isAnnounced('approvers', key);
  }
}

const keyOf = ({ tenantId, sessionId }: SessionKey): string => `${tenantId}\n${sessionId}`;
