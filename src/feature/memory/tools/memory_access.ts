/** The access of memory tools to the memories of their tenant. ../memory_access.ts implements it. */

declare module '../../../tools/common' {
  interface ToolAccess {
    /** Absent: nothing can be remembered. */
    readonly memories?: MemoryAccess;
  }
}

/** The fields of a memory that models and pages see. */
export interface MemoryView {
  id: string;
  text: string;
  kind: 'fact' | 'preference' | 'project' | 'other';
}

export interface RecalledMemory extends MemoryView {
  /** Milliseconds since 1970. */
  updatedAt: number;
  /** A tool result held the text when it was saved. */
  isTainted: boolean;
}

export interface SaveMemoryRequest {
  text: string;
  /** Default: `fact` for a new memory; an old one keeps its kind. */
  kind?: MemoryView['kind'];
  /** Id of the memory whose text this one replaces. */
  replaces?: string;
  /** Save it beside a memory that says nearly the same. */
  force?: boolean;
}

/**
 * created, updated: the memory was stored. near_duplicate: not stored, because `memory` says nearly the same. refused: not stored; `secret` holds the
 * text that looks like a key or password, `full` means that the tenant has 2,000 memories, `missing` that the memory `replaces` does not exist.
 */
export type SaveMemoryOutcome =
  | { status: 'created' | 'updated' | 'near_duplicate'; memory: MemoryView }
  | { status: 'refused'; reason: 'blank' | 'secret' | 'full' | 'missing' };

export interface MemoryAccess {
  /** Saves a memory. `isTainted`: a tool result of the same turn holds the text. */
  saveMemory(request: SaveMemoryRequest, isTainted: boolean): Promise<SaveMemoryOutcome>;
  /** Resolves with the memories that fit a query best, the best first. */
  recallMemories(query: string, limit: number): Promise<RecalledMemory[]>;
  /** Deletes a memory and resolves with it; undefined when it does not exist. */
  forgetMemory(id: string): Promise<MemoryView | undefined>;
}
