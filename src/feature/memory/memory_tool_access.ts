/** Gives the tools of one call access to the memories that its caller sees. */
import type { OwnedThings } from '../../service/access/owned_things';
import type { ToolCaller } from '../../service/tool/tool_access';
import type { MemoryService } from './memory_service';
import type { MemoryRecord, MemorySource } from './store/memory_records';
import type { MemoryAccess, MemoryView } from './tools/memory_access';

interface MemoryAccessDeps {
  memories: MemoryService;
  ownedThings: OwnedThings;
}

/** Gives access. Notes the caller as the source of what it saves, and whether a tool result held the text. */
export function memoryAccessOf({ memories, ownedThings }: MemoryAccessDeps, caller: ToolCaller): MemoryAccess {
  const { run } = caller;
  const user = () => ownedThings.userOfCall(caller);
  const source: MemorySource = run ? { by: 'agent', sessionId: run.sessionId, runId: run.runId } : { by: 'person' };
  return {
    async saveMemory(request, isTainted) {
      const saved = await memories.saveMemory(await user(), request, { ...source, tainted: isTainted || undefined });
      return saved.status === 'refused' ? saved : { status: saved.status, memory: toView(saved.memory) };
    },
    async recallMemories(query, limit) {
      const found = await memories.recallMemories(await user(), query, limit);
      return found.map(memory => ({ ...toView(memory), updatedAt: memory.updatedAt, isTainted: memory.source.tainted === true }));
    },
    async forgetMemory(id) {
      const memory = await memories.deleteMemory(await user(), id);
      return memory && toView(memory);
    },
  };
}

const toView = ({ id, text, kind }: MemoryRecord): MemoryView => ({ id, text, kind });
