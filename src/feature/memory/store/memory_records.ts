/** Memories: what the agent and the person keep for later sessions. Times are milliseconds since 1970. */
import type { Owned } from '../../../port/store/owned';
import type { Page, PageRequest } from '../../../port/store/page';
import type { Viewer } from '../../../port/store/session_access';

export const MEMORY_KINDS = ['fact', 'preference', 'project', 'other'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

export interface MemorySource {
  by: 'person' | 'agent';
  sessionId?: string;
  runId?: string;
  /** A tool result of the same turn held the text, so strangers may have written it. */
  tainted?: true;
}

export interface MemoryRecord extends Owned {
  tenantId: string;
  id: string;
  text: string;
  kind: MemoryKind;
  source: MemorySource;
  createdAt: number;
  updatedAt: number;
  /** The newest recall. Absent until the first one. */
  lastUsedAt?: number;
}

export interface MemoryFilter {
  kind?: MemoryKind;
  /** Words that must all occur; the last one may be the beginning of a word. */
  query?: string;
  /** Absent: all memories of the tenant. */
  viewer?: Viewer;
}

/** A filter of a viewer. */
type SeenFilter = MemoryFilter & { viewer: Viewer };

/** The query of a viewer. */
export type MemoryQuery = SeenFilter & { query: string };

/** Fields that are absent or undefined stay as they are. */
export type MemoryPatch = Partial<Pick<MemoryRecord, 'text' | 'kind' | 'source' | 'updatedAt' | 'visibility' | 'sharedWith'>>;

export interface MemoryReader {
  get(tenantId: string, id: string): Promise<MemoryRecord | undefined>;
  /** Lists the most recently changed first; of the same time, the higher id first. */
  list(tenantId: string, filter: MemoryFilter, page: PageRequest): Promise<Page<MemoryRecord>>;
  /** Finds memories with at least one word of the query, best first (bm25 over the words). */
  rank(tenantId: string, query: MemoryQuery, limit: number): Promise<MemoryRecord[]>;
  /** Lists the ids of all memories with the words of the query, best first. `all`: as in a filter; `any`: one word is enough. */
  rankIds(tenantId: string, filter: MemoryQuery, mode: 'all' | 'any', limit: number): Promise<string[]>;
  /** Counts how often a memory of the tenant was added, changed or deleted; `markUsed` does not count. */
  countChanges(tenantId: string): Promise<number>;
  /** Lists when each memory that the viewer sees changed, in any order. */
  listTimes(tenantId: string, viewer: Viewer): Promise<Pick<MemoryRecord, 'id' | 'updatedAt'>[]>;
  /** Reads the memories with these ids that exist, in any order. */
  readAll(tenantId: string, ids: readonly string[]): Promise<MemoryRecord[]>;
  /** Lists texts in the order of the ids, `limit` of them after the id `after`. */
  listTexts(
    tenantId: string,
    filter: Pick<SeenFilter, 'kind' | 'viewer'>,
    after: string,
    limit: number,
  ): Promise<Pick<MemoryRecord, 'id' | 'text' | 'updatedAt'>[]>;
  /** Finds the memory of the owner, else of the tenant, whose text differs at most in case, white space and punctuation of sentences. */
  findSame(tenantId: string, text: string, owner?: string): Promise<MemoryRecord | undefined>;
  /** Counts the memories of one owner, or those without an owner. */
  count(tenantId: string, owner?: string): Promise<number>;
}

export interface MemoryWriter {
  /** Rejects with `internal` when the id is taken. */
  insert(memory: MemoryRecord): Promise<void>;
  /** Resolves false when the memory does not exist. */
  update(tenantId: string, id: string, patch: MemoryPatch): Promise<boolean>;
  /** Resolves false when the memory does not exist. */
  delete(tenantId: string, id: string): Promise<boolean>;
  /** Sets `lastUsedAt` of the memories with these ids that exist. */
  markUsed(tenantId: string, ids: readonly string[], lastUsedAt: number): Promise<void>;
}

/** The memories that the prompts of a session hold. */
export interface MemoryBlock {
  tenantId: string;
  sessionId: string;
  memoryIds: readonly string[];
  createdAt: number;
}

export interface MemoryBlockReader {
  /**
   * Reads the memories in the block of a session that the viewer sees, in its order; [] for a session without a block. Deleted memories are gone from it.
   * Without a viewer: all of the block.
   */
  ofSession(tenantId: string, sessionId: string, viewer?: Viewer): Promise<Pick<MemoryRecord, 'id' | 'text'>[]>;
}

export interface MemoryBlockWriter {
  /** Stores the memory block of a session, unless the session has one. Rejects with `internal` when the session does not exist. */
  insert(block: MemoryBlock): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly memories: MemoryReader;
    readonly memoryBlocks: MemoryBlockReader;
  }
  interface StoreWriters {
    memories: MemoryWriter;
    memoryBlocks: MemoryBlockWriter;
  }
}
