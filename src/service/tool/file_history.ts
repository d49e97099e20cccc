/** Finds in the log of tool calls which files a session has used, at any gateway. */
import type { ReadableStore } from '../../port/store/store';
import type { FileUse } from '../../port/store/tool_executions';

export interface FileHistoryDeps {
  store: ReadableStore<'runs' | 'toolExecutions'>;
  /** Instance id of this gateway. */
  self: string;
  /** True: a file stays on the disk of the gateway that wrote it. */
  hasOwnFiles: boolean;
}

export class FileHistory {
  constructor(private readonly deps: FileHistoryDeps) {}

  /** Resolves with the version of the file that the session saw last. `path` is relative to the workspace. */
  lastUse(tenantId: string, sessionId: string, path: string): Promise<FileUse | undefined> {
    return this.deps.store.read.toolExecutions.lastFileUse(tenantId, sessionId, path);
  }

  /** As in FileLedger. */
  async findOtherGateway(tenantId: string, sessionId: string, path: string): Promise<string | undefined> {
    const { store, self, hasOwnFiles } = this.deps;
    const use = hasOwnFiles ? await this.lastUse(tenantId, sessionId, path) : undefined;
    const owner = use && (await store.read.runs.get(tenantId, use.runId))?.owner;
    return owner === self ? undefined : owner;
  }
}
