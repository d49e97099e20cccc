/** Tells the callers of the doors from the commands that the agent runs. */

/** A TCP connection to the gateway, as its own side sees it. */
export interface CallerConnection {
  readonly localPort?: number | undefined;
  readonly remotePort?: number | undefined;
}

export interface CallerCheck {
  /**
   * Resolves to whether a process of a command opened the connection. Looked up once for each connection; call it when the connection opens, because a
   * caller can be gone a moment later. Takes a few milliseconds while a command runs, nothing otherwise. Never rejects.
   */
  isCommand(connection: CallerConnection): Promise<boolean>;
}
