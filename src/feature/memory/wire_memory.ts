/** Encodes memories: ISO times, no tenant. */
import { toWireOwned } from '../../service/access/wire_owned';
import { toIsoTime } from '../../utils/iso_time';
import type { MemoryRecord } from './store/memory_records';

export function toWireMemory({ tenantId: _tenant, createdAt, updatedAt, lastUsedAt, ...memory }: MemoryRecord) {
  return {
    ...memory,
    ...toWireOwned(memory),
    createdAt: toIsoTime(createdAt),
    updatedAt: toIsoTime(updatedAt),
    lastUsedAt: lastUsedAt === undefined ? undefined : toIsoTime(lastUsedAt),
  };
}
