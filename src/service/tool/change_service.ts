/** The changes that tool calls of a session made to files, and their undo. */
import { AppError } from '../../errors';
import { FILE_CHANGING_TOOLS } from '../../port/file_changing_tools';
import type { Page, PageRequest } from '../../port/store/page';
import type { ReadableStore, StoreReader } from '../../port/store/store';
import type { ToolExecutionRecord } from '../../port/store/tool_executions';
import type { ChangeState, UndoService } from './undo_service';

/** A change of one file by one tool call. */
export interface FileChangeRow {
  /** Id of the tool execution. */
  id: string;
  /** Absent for a direct call. */
  runId?: string;
  toolCallId?: string;
  tool: string;
  /** The agent that made the change. */
  agent?: string;
  path: string;
  /** Unified diff, truncated when it is long; empty when none was stored. */
  diff: string;
  /** Lines that the whole change adds and removes; absent when that is not known. */
  added?: number;
  removed?: number;
  /** The way in which `patch` found the text that it changed. */
  strategy?: string;
  undone: boolean;
  /** As of a tool execution. */
  undo?: ChangeState['undo'];
  redo?: ChangeState['redo'];
  /** `copied`: made in a turn that the session has from its source. `crew`: made by a crew member. Absent: made by a run of the session. */
  origin?: 'copied' | 'crew' | undefined;
  /** When the call ended, in milliseconds since 1970. */
  at: number;
}

export interface ChangeServiceDeps {
  store: ReadableStore<'toolExecutions' | 'sessions'> & { lists: Pick<StoreReader, 'toolExecutions'> };
  /** Rejects `not_found` for a session that does not exist. */
  assertSession: (tenantId: string, sessionId: string) => Promise<unknown>;
  undo: Pick<UndoService, 'undo' | 'redo' | 'stateOf'>;
}

export class ChangeService {
  constructor(private readonly deps: ChangeServiceDeps) {}

  /** Lists the file changes that the turns of a session show, the newest first: also those of copied turns and of crew members. Rejects `not_found`. */
  async listChanges(tenantId: string, sessionId: string, page: PageRequest): Promise<Page<FileChangeRow>> {
    const { store, assertSession } = this.deps;
    await assertSession(tenantId, sessionId);
    const filter = { shownIn: sessionId, tools: FILE_CHANGING_TOOLS, status: 'success' as const };
    const { data, nextCursor } = await store.lists.toolExecutions.list(tenantId, filter, page);
    const origins = await this.readOrigins(tenantId, sessionId, data);
    const toRow = async (execution: ToolExecutionRecord): Promise<FileChangeRow> => {
      const row = await this.toRow(execution);
      return { ...row, origin: origins.get(execution.sessionId) };
    };
    return { data: await Promise.all(data.map(toRow)), nextCursor };
  }

  /** Undoes or redoes a change, and resolves with the change as it is now. Rejects as UndoService does. */
  async moveChange(direction: 'undo' | 'redo', tenantId: string, id: string): Promise<FileChangeRow> {
    const { store, undo } = this.deps;
    await undo[direction](tenantId, id);
    const execution = await store.read.toolExecutions.get(tenantId, id);
    if (!execution) throw new AppError('not_found');
    return this.toRow(execution);
  }

  /** Resolves with the origin of the executions of each session but `sessionId`. */
  private async readOrigins(tenantId: string, sessionId: string, executions: readonly ToolExecutionRecord[]) {
    const others = new Set(executions.flatMap(execution => (execution.sessionId === sessionId ? [] : (execution.sessionId ?? []))));
    const originOf = async (id: string): Promise<[string | undefined, FileChangeRow['origin']]> => {
      const session = await this.deps.store.read.sessions.get(tenantId, id);
      return [id, session?.parentSessionId === undefined ? 'copied' : 'crew'];
    };
    return new Map(await Promise.all([...others].map(originOf)));
  }

  private async toRow(execution: ToolExecutionRecord): Promise<FileChangeRow> {
    const { id, runId, toolCallId, tool, agent, details = {}, createdAt, endedAt = createdAt } = execution;
    const diff = textOf(details['diff']) ?? '';
    const { undo, redo } = await this.deps.undo.stateOf(execution);
    return {
      id,
      runId,
      toolCallId,
      tool,
      agent,
      path: textOf(details['path']) ?? pathIn(execution.args),
      diff,
      ...countLines(details, diff),
      strategy: textOf(details['strategy']),
      undone: undo === 'undone',
      undo,
      redo,
      at: endedAt,
    };
  }
}

/** A line in the place of the rest of a clipped diff. */
const CLIPPED = /\n\[\.\.\. .*\]$/;

/** Counts the lines of a diff that is whole. Of a clipped diff, the call has counted the lines, unless there were too many. */
function countLines({ added, removed }: Record<string, unknown>, diff: string): { added?: number; removed?: number } {
  if (typeof added === 'number' && typeof removed === 'number') return { added, removed };
  if (diff === '' || CLIPPED.test(diff)) return {};
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
