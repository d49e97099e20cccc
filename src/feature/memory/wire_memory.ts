/** Encodes memories: ISO times, no tenant. */
import type { MemoryRecord } from './store/memory_records';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export function toWireMemory({ tenantId: _tenant, createdAt, updatedAt, lastUsedAt, ...memory }: MemoryRecord) {
  return {
    ...memory,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    lastUsedAt: lastUsedAt === undefined ? undefined : iso(lastUsedAt),
  };
}
