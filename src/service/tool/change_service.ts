/** The changes that tool calls of a session made to files, and their undo. */
import { AppError } from '../../errors';
import { FILE_CHANGING_TOOLS } from '../../port/file_changing_tools';
import type { Page, PageRequest } from '../../port/store/page';
import type { ReadableStore, StoreReader } from '../../port/store/store';
import type { ToolExecutionRecord } from '../../port/store/tool_executions';
import type { UndoService } from './undo_service';

/** A change of one file by one tool call. */
export interface FileChangeRow {
  /** Id of the tool execution. */
  id: string;
  /** Absent for a direct call. */
  runId?: string;
  path: string;
  /** Unified diff, truncated when it is long; empty when none was stored. */
  diff: string;
  /** Lines that the diff adds and removes. */
  added: number;
  removed: number;
  /** The way in which `patch` found the text that it changed. */
  strategy?: string;
  undone: boolean;
  /** When the call ended, in milliseconds since 1970. */
  at: number;
}

export interface ChangeServiceDeps {
  store: ReadableStore<'toolExecutions'> & { lists: Pick<StoreReader, 'toolExecutions'> };
  /** Rejects `not_found` for a session that does not exist. */
  assertSession: (tenantId: string, sessionId: string) => Promise<unknown>;
  undo: Pick<UndoService, 'undo' | 'redo' | 'stateOf'>;
}

export class ChangeService {
  constructor(private readonly deps: ChangeServiceDeps) {}

  /** Lists the file changes of the runs of a session, the newest first. Rejects `not_found`. */
  async listChanges(tenantId: string, sessionId: string, page: PageRequest): Promise<Page<FileChangeRow>> {
    const { store, assertSession } = this.deps;
    await assertSession(tenantId, sessionId);
    const filter = { sessionId, tools: FILE_CHANGING_TOOLS, status: 'success' as const };
    const { data, nextCursor } = await store.lists.toolExecutions.list(tenantId, filter, page);
    return { data: await Promise.all(data.map(execution => this.toRow(execution))), nextCursor };
  }

  /** Undoes or redoes a change, and resolves with the change as it is now. Rejects as UndoService does. */
  async moveChange(direction: 'undo' | 'redo', tenantId: string, id: string): Promise<FileChangeRow> {
    const { store, undo } = this.deps;
    await undo[direction](tenantId, id);
    const execution = await store.read.toolExecutions.get(tenantId, id);
    if (!execution) throw new AppError('not_found');
    return this.toRow(execution);
  }

  private async toRow(execution: ToolExecutionRecord): Promise<FileChangeRow> {
    const { id, runId, details = {}, createdAt, endedAt = createdAt } = execution;
    const diff = textOf(details['diff']) ?? '';
    const state = await this.deps.undo.stateOf(execution);
    return {
      id,
      runId,
      path: textOf(details['path']) ?? pathIn(execution.args),
      diff,
      ...countLines(diff),
      strategy: textOf(details['strategy']),
      undone: state.undo === 'undone',
      at: endedAt,
    };
  }
}

/** Counts the lines that a unified diff adds and removes. */
function countLines(diff: string): { added: number; removed: number } {
  const lines = diff.split('\n');
  const body = lines.slice(lines.findIndex(line => line.startsWith('@@')));
  const count = (sign: string) => body.filter(line => line.startsWith(sign)).length;
  return { added: count('+'), removed: count('-') };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads the path from the arguments of a call, which may be truncated. */
function pathIn(args: string): string {
  const [, path] = /"path":("(?:[^"\\]|\\.)*")/.exec(args) ?? [];
  return path === undefined ? '' : JSON.parse(path);
}
