/** Recognises connections to the gateway that a command of the agent opened. */

/** A TCP connection to the gateway, seen from the gateway's side. */
export interface CallerConnection {
  readonly localPort?: number | undefined;
  readonly remotePort?: number | undefined;
}

/**
 * @example
 * import type { CallerCheck } from './caller_check';
 *
 * // Commands have no network here, so no connection is theirs.
 * export const noCommands: CallerCheck = { isCommand: async () => false };
 */
export interface CallerCheck {
  /**
   * Resolves with true when a process of a command opened the connection. The result is kept for each connection. Call it when the connection
   * opens: the process may end a moment later. Takes a few milliseconds while a command runs, no time otherwise. Never rejects.
   */
  isCommand(connection: CallerConnection): Promise<boolean>;
}
