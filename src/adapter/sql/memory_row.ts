/** Rows of memories. */
import type { Generated } from 'kysely';
import type { MemoryKind } from '../../port/store/memories';

/** `fingerprint`: equal for memories with the same words. `search_id`: the memory's row in the search index memory_search. */
export interface MemoryRow {
  search_id: Generated<number>;
  tenant_id: string;
  id: string;
  text: string;
  fingerprint: string;
  kind: MemoryKind;
  source: string;
  created_at: number;
  updated_at: number;
  last_used_at: number | null;
}

/** `number`: how often a memory of the tenant was added, changed or deleted. */
export interface MemoryChangesRow {
  tenant_id: string;
  number: number;
}

/** The memories in the prompt of a session: a JSON array of their ids. */
export interface SessionMemoryBlockRow {
  tenant_id: string;
  session_id: string;
  memory_ids: string;
  created_at: number;
}
