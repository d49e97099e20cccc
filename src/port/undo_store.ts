/** Keeps file contents from before the agent's changes for a while, so that a person can undo a change, and redo it. */

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

/** `redoable`: the change was undone and can be redone. `gone`: the content was deleted to make space, or was too large to keep. */
export type UndoState = 'possible' | 'undone' | 'redoable' | 'gone';

/**
 * `undone`: the change was undone and the content from before it is deleted. `redo` is the way back: its `before` is the content that a redo
 * writes, and its `afterHash` belongs to the file as the undo left it.
 */
export type KeptChange = { status: 'kept'; change: FileChange } | { status: 'undone'; path: string; redo?: FileChange };

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
 *     async stateOf(key) {
 *       const known = changes.get(nameOf(key));
 *       if (known?.status === 'undone') return known.redo ? 'redoable' : 'undone';
 *       return known ? 'possible' : 'gone';
 *     },
 *     async markUndone(key, redo) {
 *       const known = changes.get(nameOf(key));
 *       if (known?.status === 'kept') changes.set(nameOf(key), { status: 'undone', path: known.change.path, redo });
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
  /** Says whether the change can still be undone or redone, without its content. The file may have changed since. */
  stateOf(key: ChangeKey): Promise<UndoState>;
  /**
   * Deletes the content from before the change; `find` then resolves with `undone`. Keeps `redo` unless it is too large. After a redo, `keep`
   * stores the change as it was.
   */
  markUndone(key: ChangeKey, redo?: FileChange): Promise<void>;
  /** Deletes all that is known of the change. */
  forget(key: ChangeKey): Promise<void>;
}
