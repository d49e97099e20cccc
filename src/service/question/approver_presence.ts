/** Counts the connections that follow a session and can show an approval. */
import type { SessionKey } from './question_resolvers';

export class ApproverPresence {
  private readonly connections = new Map<string, number>();

  /** Counts a connection that follows the session. Call the returned function when the connection leaves. */
  join(session: SessionKey): () => void {
    const key = keyOf(session);
    this.connections.set(key, (this.connections.get(key) ?? 0) + 1);
    return () => {
      const left = (this.connections.get(key) ?? 0) - 1;
      if (left > 0) this.connections.set(key, left);
      else this.connections.delete(key);
    };
  }

  /** Returns true when a connection to this process that can show approvals follows the session. */
  isPresent(session: SessionKey): boolean {
    return this.connections.has(keyOf(session));
  }
}

const keyOf = ({ tenantId, sessionId }: SessionKey): string => `${tenantId}\n${sessionId}`;
