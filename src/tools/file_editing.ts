/** Services that protect file edits. The tool context has them where they are available. */

/** Remembers the files that a session has read or written. A file that is not remembered is never stale. */
export interface FileLedger {
  /**
   * Records the content of a file that the session has just read or written. `path` is relative to the workspace. Returns the version of the content, for the
   * details of the result: other gateways find it there. Undefined when there are no other gateways.
   */
  note(path: string, bytes: Uint8Array): string | undefined;
  /** Resolves with true when the session knew the file and the content is different now. */
  isStale(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Resolves with the gateway on whose disk the session last used the file; undefined when it is this gateway, or all of them see the file. */
  findOtherGateway(path: string): Promise<string | undefined>;
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
