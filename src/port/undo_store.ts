/** Keeps file contents from before the agent's changes for a while, so that a person can undo a change. */

/** The tool call that made the change; a direct call has no run. */
export interface ChangeKey {
  tenantId: string;
  runId?: string;
  toolCallId: string;
}

export interface FileChange {
  /** Relative to the workspace. */
  path: string;
  /** The previous content; absent when the change created the file. */
  before?: Uint8Array;
  /** contentHash of the file after the change; absent when the change removed the file. */
  afterHash?: string;
}

/** `gone`: the content was deleted to make space, or was too large to keep. */
export type UndoState = 'possible' | 'undone' | 'gone';

/** `undone`: the change was undone and its content is deleted. */
export type KeptChange = { status: 'kept'; change: FileChange } | { status: 'undone'; path: string };

/**
 * @example
 * import type { ChangeKey, KeptChange, UndoStore } from './undo_store';
 *
 * // Keeps changes in memory, for tests.
 * export function memoryUndoStore(): UndoStore {
 *   const changes = new Map<string, KeptChange>();
 *   const nameOf = ({ tenantId, runId, toolCallId }: ChangeKey) => JSON.stringify([tenantId, runId, toolCallId]);
 *   return {
 *     async keep(key, change) {
 *       changes.set(nameOf(key), { status: 'kept', change });
 *       return true;
 *     },
 *     find: async key => changes.get(nameOf(key)),
 *     stateOf: async key => (({ kept: 'possible', undone: 'undone', gone: 'gone' }) as const)[changes.get(nameOf(key))?.status ?? 'gone'],
 *     async markUndone(key) {
 *       const known = changes.get(nameOf(key));
 *       if (known?.status === 'kept') changes.set(nameOf(key), { status: 'undone', path: known.change.path });
 *     },
 *     forget: async key => void changes.delete(nameOf(key)),
 *   };
 * }
 */
export interface UndoStore {
  /** Resolves with true once the change is durable, with false when it is too large to keep. Deletes the oldest changes when space runs out. */
  keep(key: ChangeKey, change: FileChange): Promise<boolean>;
  /** Resolves with undefined when no change is known for the call. */
  find(key: ChangeKey): Promise<KeptChange | undefined>;
  /** Says whether the change can still be undone, without its content. The file may have changed since. */
  stateOf(key: ChangeKey): Promise<UndoState>;
  /** Deletes the content of the change; `find` then resolves with `undone`. */
  markUndone(key: ChangeKey): Promise<void>;
  /** Deletes all that is known of the change. */
  forget(key: ChangeKey): Promise<void>;
}
