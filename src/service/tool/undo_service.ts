/** Undoes the change of a tool call to a file, and redoes it, unless the file has changed again since. */
import { AppError } from '../../errors';
import type { Store } from '../../port/store/store';
import type { ToolExecutionRecord } from '../../port/store/tool_executions';
import type { ChangeKey, FileChange, KeptChange, UndoState, UndoStore } from '../../port/undo_store';
import { type Workspace, WorkspaceError } from '../../port/workspace';
import type { Workspaces } from '../../port/workspaces';
import { contentHash } from '../../utils/content_hash';
import { asFileErrors } from '../workspace/file_errors';

interface UndoPorts {
  store: Store;
  workspaces: Workspaces;
  undoStore: UndoStore;
}

export interface UndoServiceDeps {
  ports: UndoPorts;
  /** Brings the files of a tenant up to date. */
  bring: (tenantId: string) => Promise<unknown>;
  /** Called after a file was restored, inside the lock of the file. */
  onChange: (tenantId: string) => void;
  /** Stores the files of a tenant for other gateways. Never rejects. It locks files itself, so it is called outside the lock of the file. */
  keep: (tenantId: string) => Promise<unknown>;
}

const MAX_BYTES = 16 * 1024 * 1024;
const PAGE_BYTES = 1024 * 1024;

type Direction = 'undo' | 'redo';

/** Says of a call that kept a change whether the change can be undone, and after an undo, whether it can be redone. */
export interface ChangeState {
  undo?: 'possible' | 'undone' | 'gone';
  redo?: 'possible' | 'gone';
}

export class UndoService {
  constructor(private readonly deps: UndoServiceDeps) {}

  /**
   * Restores the previous bytes of a file that the call changed or removed, and removes a file that the call created. Rejects with `not_found` for an
   * execution that is unknown or kept no change, and with `undo_conflict` when the change was undone before or the file has changed again. A refusal
   * of the workspace is an error of the table, such as `store_unavailable` while another gateway changes the file.
   */
  async undo(tenantId: string, executionId: string): Promise<{ undone: true; path: string }> {
    return { undone: true, path: await this.move('undo', tenantId, executionId) };
  }

  /**
   * Writes again what an undone change had written. Rejects as `undo` does, and with `undo_conflict` when the change is not undone or its content
   * is no longer stored.
   */
  async redo(tenantId: string, executionId: string): Promise<{ redone: true; path: string }> {
    return { redone: true, path: await this.move('redo', tenantId, executionId) };
  }

  /** Resolves with the path of the file. */
  private async move(direction: Direction, tenantId: string, executionId: string): Promise<string> {
    const { store, workspaces, undoStore } = this.deps.ports;
    const execution = await store.read.toolExecutions.get(tenantId, executionId);
    const kept = execution && (await undoStore.find(toKey(execution)));
    if (!kept)
      throw new AppError('not_found', {
        message: 'There is no change of such a tool execution to take back.',
        messageZh: '没有可以撤销的改动。',
      });
    const path = kept.status === 'kept' ? kept.change.path : kept.path;
    const { workspace } = workspaces.workspaceOf(tenantId);
    await asFileErrors(async () => {
      await this.deps.bring(tenantId);
      await workspace.withFileLock(path, () => this.restore(direction, workspace, toKey(execution)));
    });
    await this.deps.keep(tenantId);
    return path;
  }

  /** Says whether the change of the call can be undone or redone. */
  async stateOf(execution: ToolExecutionRecord): Promise<ChangeState> {
    return execution.details?.['undoable'] === true ? STATES[await this.deps.ports.undoStore.stateOf(toKey(execution))] : {};
  }

  /** Deletes the copies that the changes of a session have left. Call it while the log still has its tool executions. */
  async forgetSession(tenantId: string, sessionId: string): Promise<void> {
    const { store, undoStore } = this.deps.ports;
    for (let cursor: string | undefined; ; ) {
      const page = { limit: 200, maxBytes: PAGE_BYTES, cursor };
      const { data, nextCursor } = await store.read.toolExecutions.list(tenantId, { sessionId }, page);
      for (const execution of data) if (execution.details?.['undoable']) await undoStore.forget(toKey(execution));
      if (nextCursor === undefined) return;
      cursor = nextCursor;
    }
  }

  /** Looks the change up again inside the file's lock, because two people may press the button. */
  private async restore(direction: Direction, workspace: Workspace, key: ChangeKey): Promise<void> {
    const { undoStore } = this.deps.ports;
    const kept = await undoStore.find(key);
    const change = direction === 'undo' ? toUndo(kept) : toRedo(kept);
    const current = await this.readUntouched(direction, workspace, change);
    const { path, before } = change;
    if (before) await workspace.writeFile(path, before);
    else await workspace.removeFile(path);
    this.deps.onChange(key.tenantId);
    const wayBack = { path, before: current, afterHash: before && contentHash(before) };
    if (direction === 'undo') await undoStore.markUndone(key, wayBack);
    else await undoStore.keep(key, wayBack);
  }

  /** Resolves with the bytes of the file, undefined when there is none. Rejects when the file is not as the change, or its undo, left it. */
  private async readUntouched(
    direction: Direction,
    workspace: Workspace,
    { path, afterHash }: FileChange,
  ): Promise<Uint8Array | undefined> {
    const current = await workspace.readFile(path, { maxBytes: MAX_BYTES }).catch(asUndefined);
    const isAsLeft = afterHash === undefined ? await isNothing(workspace, path) : current && contentHash(current) === afterHash;
    if (isAsLeft) return current;
    const what = current ? `${path} was changed again` : `${path} was removed or replaced`;
    const whatZh = `${path} ${current ? '又被修改' : '已被删除或替换'}`;
    const isUndo = direction === 'undo';
    throw new AppError('undo_conflict', {
      message: isUndo
        ? `${what} after this change, so it cannot be taken back.`
        : `${what} after the undo, so the change cannot be redone.`,
      messageZh: isUndo ? `这次修改之后，${whatZh}，因此无法撤销。` : `撤销之后，${whatZh}，因此无法重做。`,
      details: { status: 'changed', path },
    });
  }
}

const STATES: Readonly<Record<UndoState, ChangeState>> = {
  possible: { undo: 'possible' },
  redoable: { undo: 'undone', redo: 'possible' },
  undone: { undo: 'undone', redo: 'gone' },
  gone: { undo: 'gone' },
};

function toUndo(kept: KeptChange | undefined): FileChange {
  if (kept?.status !== 'kept') throw alreadyUndone();
  return kept.change;
}

function toRedo(kept: KeptChange | undefined): FileChange {
  if (kept?.status === 'undone' && kept.redo) return kept.redo;
  if (kept?.status === 'kept') {
    throw new AppError('undo_conflict', {
      message: 'The change is not taken back, so there is nothing to redo.',
      messageZh: '这次修改没有被撤销，无需重做。',
      details: { status: 'not_undone' },
    });
  }
  throw new AppError('undo_conflict', {
    message: 'The content that the change had written is no longer stored.',
    messageZh: '这次修改写入的内容已不再保存。',
    details: { status: 'gone' },
  });
}

const alreadyUndone = (): AppError =>
  new AppError('undo_conflict', {
    message: 'The change was taken back already.',
    messageZh: '这次修改已经撤销。',
    details: { status: 'undone' },
  });

/** Uses the execution id for a direct call, which has no tool call id. */
const toKey = ({ tenantId, id, runId, toolCallId }: ToolExecutionRecord): ChangeKey => ({
  tenantId,
  runId,
  toolCallId: toolCallId ?? id,
});

const isNothing = (workspace: Workspace, path: string): Promise<boolean> =>
  workspace.stat(path).then(
    () => false,
    thrown => thrown instanceof WorkspaceError && thrown.code === 'not_found',
  );

function asUndefined(thrown: unknown): undefined {
  if (thrown instanceof WorkspaceError) return undefined;
  throw thrown;
}
