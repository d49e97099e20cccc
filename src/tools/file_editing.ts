/** Services that protect file edits. The tool context has them where they are available. */

/** Remembers the files that a session has read or written. In memory only; a file that is not remembered is never stale. */
export interface FileLedger {
  /** Records the content of a file that the session has just read or written. `path` is relative to the workspace. */
  note(path: string, bytes: Uint8Array): void;
  /** Returns true when the session knew the file and the content is different now. */
  isStale(path: string, bytes: Uint8Array): boolean;
  /** Records a refused edit and returns true when the same one was refused before. `edit` is a key of all that decides the outcome. */
  noteRefusal(edit: string): boolean;
}

/** Stores the content of a file before a change, so that a person can undo the change. */
export interface ChangeKeeper {
  /**
   * Must be called before the file is changed. `before` is absent for a new file, `after` for a removed one. Resolves to true when
   * the change can be undone. Never rejects.
   */
  keep(change: { toolCallId: string; path: string; before?: Uint8Array; after?: Uint8Array }): Promise<boolean>;
}
