/** What a person can do with one tool call. */
import { RequestError } from '../api/request_error';
import type { FileChange, ResultPage, ResultQuery, ToolExecutionSummary } from '../api/rest_types';
import type { Messages } from '../i18n/messages';
import { noteUndo } from '../state/session_reducer';
import type { ChatContext } from './chat_context';

type RunId = string | undefined;
export type Direction = 'undo' | 'redo';

export interface ToolCallActions {
  /** Stops a running call; the run goes on. Never rejects: the person gets a notice when it fails. */
  stop(runId: RunId, toolCallId: string): Promise<void>;
  /** Undoes or redoes the file change of a call. Rejects with a RequestError when that is not possible. */
  moveChange(direction: Direction, runId: RunId, toolCallId: string): Promise<void>;
  /** Undoes or redoes a change of `listChanges`. Rejects like `moveChange`. */
  moveListed(direction: Direction, change: FileChange): Promise<void>;
  /** Reads the file changes of the open chat, newest first, with those of copied turns and of crew members. Rejects like the request. */
  listChanges(): Promise<FileChange[]>;
  /** Reads a part of the whole result of a call; the events have its beginning and its end. Rejects like the request. */
  readResult(runId: RunId, toolCallId: string, query: ResultQuery): Promise<ResultPage>;
}

export function createToolCallActions(context: ChatContext, messages: () => Messages): ToolCallActions {
  const { rest, store, notify } = context;
  /** Ids of the executions whose results were read: a person turns many pages of the same result. */
  const executionIds = new Map<string, string>();
  const findExecution = async (runId: RunId, toolCallId: string): Promise<ToolExecutionSummary> => {
    const executions = runId ? await rest.listToolExecutions(runId) : [];
    const execution = executions.find(candidate => candidate.toolCallId === toolCallId);
    if (!execution) throw new RequestError('not_found', 'There is no such tool execution.', false);
    return execution;
  };
  const move = async (direction: Direction, runId: RunId, execution: ToolExecutionSummary) => {
    await rest[direction](execution.id);
    const state = direction === 'undo' ? ({ undo: 'undone', redo: 'possible' } as const) : ({ undo: 'possible', redo: undefined } as const);
    // The card of the call and the list of changes say the same.
    if (runId) store.set({ view: noteUndo(store.get().view, runId, [{ ...execution, ...state }]) });
  };
  return {
    async stop(runId, toolCallId) {
      if (runId) await rest.stopToolCall(runId, toolCallId).catch(() => notify(messages().callStopFailed));
    },
    moveChange: async (direction, runId, toolCallId) => move(direction, runId, await findExecution(runId, toolCallId)),
    moveListed: (direction, change) => move(direction, change.runId, change),
    async listChanges() {
      const { sessionId } = store.get();
      return sessionId ? rest.listFileChanges(sessionId) : [];
    },
    async readResult(runId, toolCallId, query) {
      const key = `${runId} ${toolCallId}`;
      const id = executionIds.get(key) ?? (await findExecution(runId, toolCallId)).id;
      executionIds.set(key, id);
      return rest.readResult(id, query);
    },
  };
}
