/** Gives the file tools of one run, or of one direct call, what they need to edit safely. */
import type { FileSearch } from '../../port/file_search';
import type { UndoStore } from '../../port/undo_store';
import type { ToolContext } from '../../tools/common';
import type { PatchEngine } from '../../tools/file_editing';
import type { HeavyWork } from '../../tools/cpu_tasks';
import { contentHash } from '../../utils/content_hash';
import { FileLedgers } from './file_ledgers';

export interface FileEditingParts {
  ports: { undoStore: UndoStore; patchEngine: PatchEngine; fileSearch?: FileSearch; heavyWork?: HeavyWork };
  onError: (message: string, error: unknown) => void;
}

export class FileEditingService {
  private readonly ledgers = new FileLedgers();

  constructor(private readonly parts: FileEditingParts) {}

  contextOf(scope: {
    tenantId: string;
    sessionId?: string;
    runId?: string;
  }): Pick<ToolContext, 'fileLedger' | 'changes' | 'patchEngine' | 'fileSearch' | 'heavyWork'> {
    const { tenantId, sessionId, runId } = scope;
    const { undoStore, patchEngine, fileSearch, heavyWork } = this.parts.ports;
    return {
      patchEngine,
      ...(fileSearch && { fileSearch }),
      ...(heavyWork && { heavyWork }),
      ...(sessionId !== undefined && { fileLedger: this.ledgers.of(tenantId, sessionId) }),
      changes: {
        keep: async ({ toolCallId, path, before, after }) => {
          const key = { tenantId, ...(runId !== undefined && { runId }), toolCallId };
          try {
            return await undoStore.keep(key, { path, ...(before && { before }), ...(after && { afterHash: contentHash(after) }) });
          } catch (thrown) {
            // A full disk must not stop the agent's work; the person is just offered no undo.
            this.parts.onError('a change cannot be kept for undo', thrown);
            return false;
          }
        },
      },
    };
  }
}
