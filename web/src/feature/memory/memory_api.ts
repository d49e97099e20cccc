/** The routes of memories. Every failure rejects with a RequestError. */
import { API_BASE, callRest } from '../../api/call_rest';
import { RequestError } from '../../api/request_error';
import type { OwnedThing, Page } from '../../api/rest_types';
import type { SharingChange } from '../../components/people/use_sharing';

export const MEMORY_KINDS = ['fact', 'preference', 'project', 'other'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** The most characters of one memory. */
export const MAX_MEMORY = 2_000;
/** Characters of a search. */
export const MAX_QUERY = 500;

/** Times are ISO-8601 UTC. */
export interface Memory extends OwnedThing {
  id: string;
  text: string;
  kind: MemoryKind;
  /** `tainted`: the text stood in a tool result of the same turn. */
  source: { by: 'person' | 'agent'; sessionId?: string; runId?: string; tainted?: boolean };
  createdAt: string;
  updatedAt: string;
  lastUsedAt?: string;
}

export interface MemoryFields {
  text: string;
  kind: MemoryKind;
}

export interface MemoryQuery {
  /** Words to search; empty lists all. */
  text: string;
  kind: MemoryKind | undefined;
}

const PAGE_SIZE = 50;

export const EXPORT_HREF = `${API_BASE}/memories/export`;

export function listMemories({ text, kind }: MemoryQuery, cursor?: string): Promise<Page<Memory>> {
  const parameters = new URLSearchParams({ limit: String(PAGE_SIZE) });
  if (text) parameters.set('q', text);
  if (kind) parameters.set('kind', kind);
  if (cursor) parameters.set('cursor', cursor);
  return callRest('GET', `/memories?${parameters}`);
}

/** Resolves with false when the memory is gone. */
export async function hasMemory(id: string): Promise<boolean> {
  try {
    await callRest('GET', pathOf(id));
    return true;
  } catch (error) {
    if (error instanceof RequestError && error.code === 'not_found') return false;
    throw error;
  }
}

/** `near_duplicate`: nothing was stored, because the returned memory says nearly the same. `updated`: the memory has the same words. */
export type SavedMemory = Memory & { outcome: 'created' | 'updated' | 'near_duplicate' };

/** Adds a memory. `force` adds it beside a near duplicate. */
export function addMemory(fields: MemoryFields & { force?: true }): Promise<SavedMemory> {
  return callRest('POST', '/memories', fields);
}

export function editMemory(id: string, fields: MemoryFields): Promise<Memory> {
  return callRest('PATCH', pathOf(id), fields);
}

/** Changes who sees the memory. Resolves undefined when this person no longer does. */
export function shareMemory(id: string, change: SharingChange): Promise<Memory | undefined> {
  return callRest('PATCH', pathOf(id), change);
}

export function forgetMemory(id: string): Promise<void> {
  return callRest('DELETE', pathOf(id));
}

const pathOf = (id: string): string => `/memories/${encodeURIComponent(id)}`;
