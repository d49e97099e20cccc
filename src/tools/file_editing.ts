/** What the file tools may have at hand to edit safely; each part is absent where nobody offers it. */

/** What a session knows of the files it works on. In memory: after a restart nothing is known, which forbids nothing. */
export interface FileLedger {
  /** Notes what a file (path relative to the workspace) holds, as the session has just read or written it. */
  note(path: string, bytes: Uint8Array): void;
  /** Whether the session once knew the file and it holds something else now. */
  isStale(path: string, bytes: Uint8Array): boolean;
  /** Notes a refused edit. `edit` says everything that decided it; true when the very same was refused before. */
  noteRefusal(edit: string): boolean;
}

/** Keeps what a file held before a change, so that a person can take the change back. */
export interface ChangeKeeper {
  /**
   * Called before the file is changed. `before` is absent for a new file, `after` for one that is removed. Resolves whether the change can be undone;
   * rejects never.
   */
  keep(change: { toolCallId: string; path: string; before?: Uint8Array; after?: Uint8Array }): Promise<boolean>;
}
