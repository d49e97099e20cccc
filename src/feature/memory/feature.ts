/** Memories: what agents and people keep for later sessions. The tools of agents are in tools/. */
import type { Feature } from '../../feature';
import { allOf } from '../../service/all_pages';
import { MemoryBlocks } from './memory_blocks';
import { MemoryRanking } from './memory_ranking';
import { MemoryService, type MemoryServices } from './memory_service';
import { memoryAccessOf } from './memory_tool_access';
import { MemoryUsage } from './memory_usage';
import { MemoriesController } from './routes';
import { memoryStore } from './store/memory_store';
import { memoryForgetTool } from './tools/memory_forget';
import { memoryRecallTool } from './tools/memory_recall';
import { memorySaveTool } from './tools/memory_save';
import { toWireMemory } from './wire_memory';

export const memory: Feature = {
  name: 'memory',
  routes: [MemoriesController],
  store: memoryStore,
  tools: [memorySaveTool, memoryRecallTool, memoryForgetTool],
  install({ ports: { store, clock, ids, logger }, auditLog, embeddingService: embeddings, purge, ownedThings }) {
    const usage = new MemoryUsage({ store, clock, onError: logger.error });
    const memories = new MemoryService({
      store,
      clock,
      ids,
      usage,
      embeddings,
      auditLog,
      ownedThings,
      onForget: () => purge.schedule(),
      ranking: embeddings.isEnabled ? new MemoryRanking({ store, embeddings }) : undefined,
    });
    return {
      services: { memoryService: memories } satisfies MemoryServices,
      memory: new MemoryBlocks({ store, clock, ownedThings, onError: logger.error }),
      toolAccess: caller => ({ memories: memoryAccessOf({ memories, ownedThings }, caller) }),
      async *exportData(read, tenantId) {
        for await (const record of allOf(page => read.memories.list(tenantId, {}, page)))
          yield {
            type: 'feature',
            name: 'memory',
            data: toWireMemory(record),
            thing: record,
            by: record.owner,
            erase: tx => memories.eraseMemory(tx, record),
          };
      },
      stop: () => usage.writePending(),
    };
  },
};
