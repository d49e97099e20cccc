/** Builds the services of memories and of the vectors by which texts are found. */
import type { Clock, IdSource } from '../../port/clock';
import type { EmbeddingPort } from '../../port/embedding';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';
import type { AuditRecorder } from '../audit/audit_log';
import { EmbeddingService } from '../embedding/embedding_service';
import { MemoryBlocks } from './memory_blocks';
import { MemoryRanking } from './memory_ranking';
import { MemoryService } from './memory_service';
import { MemoryUsage } from './memory_usage';

interface MemoryServicesDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  auditLog: AuditRecorder;
  embedding?: EmbeddingPort;
  onForget: () => void;
  onError: LogError;
}

export function createMemoryServices(deps: MemoryServicesDeps) {
  const memoryUsage = new MemoryUsage(deps);
  const embeddings = new EmbeddingService(deps);
  const memories = new MemoryService({
    ...deps,
    usage: memoryUsage,
    embeddings,
    ranking: embeddings.isEnabled ? new MemoryRanking({ ...deps, embeddings }) : undefined,
  });
  return { memoryUsage, embeddings, memories, memoryBlocks: new MemoryBlocks(deps) };
}
