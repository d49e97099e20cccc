/**
 * Logs changes that people make to files, and keeps the content before each change, so that a person can undo the change like a change that a tool
 * made.
 */
import type { Clock, IdSource } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import type { LogError } from '../../port/logger';
import type { Store, StoreTransaction } from '../../port/store/store';
import type { ToolExecutionEnd } from '../../port/store/tool_executions';
import type { UndoStore } from '../../port/undo_store';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';

export interface FileChangeLogDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  identity: InstanceId;
  undoStore: UndoStore;
  /** Called after a file has changed, inside the lock of the file. */
  onChange: (tenantId: string) => void;
  onError: LogError;
}

export interface RecordedChange {
  tenantId: string;
  /** The tool that makes the same change for an agent. */
  tool: 'file_write' | 'file_delete';
  path: string;
  before: Uint8Array | 'absent' | 'unknown';
  /** The new content. Absent for a deletion. */
  after?: { size: number; hash: string };
  /** Writes something in the transaction that logs the beginning of the change. */
  alsoWrite?: (tx: StoreTransaction) => Promise<void>;
}

/** Largest content before or after a change for which undo is offered, in bytes. */
export const MAX_UNDO_BYTES = 10 * 1024 * 1024;

export class FileChangeLog {
  constructor(private readonly deps: FileChangeLogDeps) {}

  /** Logs the change as running, makes it, and logs its end. Resolves with the id of the tool execution. Rejects as `work` does. */
  async recordChange(change: RecordedChange, work: () => Promise<void>): Promise<string> {
    const { store, clock, ids, identity, onChange } = this.deps;
    const { tenantId, tool, path, after, alsoWrite } = change;
    const id = ids.next('exe');
    const startedAt = clock.monotonic();
    const args = JSON.stringify({ path });
    await store.transaction('none', async tx => {
      await tx.toolExecutions.insert({ tenantId, id, tool, args, owner: identity.self, status: 'running', createdAt: clock.now() });
      await alsoWrite?.(tx);
    });
    const undoable = await this.keepBefore(id, change);
    try {
      await work();
    } catch (thrown) {
      await this.recordEnd(change, id, { status: 'error', error: 'The file was not changed.', endedAt: clock.now() });
      throw thrown;
    }
    onChange(tenantId);
    const details = { path, undoable, bytes: after?.size };
    const durationMs = Math.round(clock.monotonic() - startedAt);
    await this.recordEnd(change, id, { status: 'success', result: `${tool}: ${path}`, details, durationMs, endedAt: clock.now() });
    return id;
  }

  /** The file has changed already, so a store that is away must not turn the answer into an error: the write is retried. */
  private async recordEnd({ tenantId }: RecordedChange, id: string, end: ToolExecutionEnd): Promise<void> {
    const { store, clock, onError } = this.deps;
    const write = () => store.transaction('none', tx => tx.toolExecutions.finish(tenantId, id, end));
    try {
      await write();
    } catch {
      retryWhileStoreUnavailable(clock, write).catch(thrown => onError(`the end of tool execution ${id} cannot be stored`, thrown));
    }
  }

  private async keepBefore(toolCallId: string, { tenantId, path, before, after }: RecordedChange): Promise<boolean> {
    if (before === 'unknown' || (after && after.size > MAX_UNDO_BYTES)) return false;
    try {
      const change = { path, before: before !== 'absent' ? before : undefined, afterHash: after?.hash };
      return await this.deps.undoStore.keep({ tenantId, toolCallId }, change);
    } catch (thrown) {
      // A full disk must not stop the person; the change only has no undo.
      this.deps.onError('a change cannot be kept for undo', thrown);
      return false;
    }
  }
}
