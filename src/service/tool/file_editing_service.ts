/** Builds the part of a tool context that file tools use: the ledger, undo and the patch engine. */

import type { CpuTasks } from '../../port/cpu_tasks';
import type { LogError } from '../../port/logger';
import type { PatchEngine } from '../../port/patch_engine';
import type { UndoStore } from '../../port/undo_store';
import type { ToolContext } from '../../tools/common';
import { contentHash } from '../../utils/content_hash';
import type { FileHistory } from './file_history';
import { FileLedgers } from './file_ledgers';

export interface FileEditingDeps {
  ports: { undoStore: UndoStore; patchEngine: PatchEngine; cpuTasks?: CpuTasks };
  onError: LogError;
  /** Absent when no other gateway executes runs. */
  history?: FileHistory;
}

export class FileEditingService {
  private readonly ledgers: FileLedgers;

  constructor(private readonly deps: FileEditingDeps) {
    this.ledgers = new FileLedgers(deps.history);
  }

  /** Returns the parts of a tool context with which tools edit files. Without a session there is no ledger of read files. */
  contextOf(scope: {
    tenantId: string;
    sessionId?: string;
    runId?: string;
  }): Pick<ToolContext, 'fileLedger' | 'changes' | 'patchEngine' | 'cpuTasks'> {
    const { tenantId, sessionId, runId } = scope;
    const { undoStore, patchEngine, cpuTasks } = this.deps.ports;
    return {
      patchEngine,
      cpuTasks,
      fileLedger: sessionId === undefined ? undefined : this.ledgers.ledgerFor(tenantId, sessionId, runId),
      changes: {
        keep: async ({ toolCallId, path, before, after }) => {
          const key = { tenantId, runId, toolCallId };
          try {
            return await undoStore.keep(key, { path, before, afterHash: after && contentHash(after) });
          } catch (thrown) {
            // A full disk must not stop the agent; the change only has no undo.
            this.deps.onError('a change cannot be kept for undo', thrown, { runId: runId || undefined, sessionId: sessionId || undefined });
            return false;
          }
        },
      },
    };
  }
}
