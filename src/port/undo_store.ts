/** What files held before the agent changed them, kept on disk for a while so that a person can take a change back. */

/** Names the tool call that made the change; a direct call has no run. */
export interface ChangeKey {
  tenantId: string;
  runId?: string;
  toolCallId: string;
}

export interface FileChange {
  /** Relative to the workspace. */
  path: string;
  /** The bytes from before; absent when the change made the file. */
  before?: Uint8Array;
  /** contentHash of the file after the change; absent when the change removed the file. */
  afterHash?: string;
}

/** `undone`: the bytes are gone, only the fact is still known. */
export type KeptChange = { status: 'kept'; change: FileChange } | { status: 'undone'; path: string };

export interface UndoStore {
  /** Resolves once the change is on disk, whether it is kept: one that is too large is not. The oldest changes make room. */
  keep(key: ChangeKey, change: FileChange): Promise<boolean>;
  find(key: ChangeKey): Promise<KeptChange | undefined>;
  /** After this `find` says undone. */
  markUndone(key: ChangeKey): Promise<void>;
}
