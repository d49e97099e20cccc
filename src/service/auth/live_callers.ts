/** Open sockets and event streams by their caller. They end as soon as the caller's key or login is no longer valid. */
import type { Identity, KeyRing } from './key_ring';

export class LiveCallers {
  private readonly connections = new Set<{ identity: Identity; end: () => void }>();

  constructor(private readonly keys: Pick<KeyRing, 'isValid' | 'onChange'>) {
    keys.onChange(() => this.endInvalid());
  }

  /**
   * Calls `end` when the identity is no longer valid, and again with each reading of the keys until the connection is forgotten: a connection that is
   * just opening cannot be ended yet. Returns the function that forgets the connection.
   */
  follow(identity: Identity, end: () => void): () => void {
    const connection = { identity, end };
    this.connections.add(connection);
    return () => this.connections.delete(connection);
  }

  private endInvalid(): void {
    for (const connection of this.connections) {
      if (!this.keys.isValid(connection.identity)) connection.end();
    }
  }
}
