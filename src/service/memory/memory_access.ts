/** Gives the tools of one call access to the memories of its tenant. */
import type { Actor } from '../../port/principal';
import type { MemoryRecord, MemorySource } from '../../port/store/memories';
import type { MemoryAccess, MemoryView } from '../../tools/memory_access';
import type { MemoryService } from './memory_service';

/** Gives access. `source`: who saves. `tainted` is added to it for texts that a tool result held. */
export function memoryAccessOf(memories: MemoryService, actor: Actor, source: MemorySource): MemoryAccess {
  const { tenantId } = actor;
  return {
    async saveMemory(request, isTainted) {
      const saved = await memories.saveMemory(tenantId, request, { ...source, tainted: isTainted || source.tainted });
      return saved.status === 'refused' ? saved : { status: saved.status, memory: toView(saved.memory) };
    },
    async recallMemories(query, limit) {
      const found = await memories.recallMemories(tenantId, query, limit);
      return found.map(memory => ({ ...toView(memory), updatedAt: memory.updatedAt, isTainted: memory.source.tainted === true }));
    },
    async forgetMemory(id) {
      const memory = await memories.deleteMemory(actor, id);
      return memory && toView(memory);
    },
  };
}

const toView = ({ id, text, kind }: MemoryRecord): MemoryView => ({ id, text, kind });
