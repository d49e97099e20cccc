/** Typed calls of the REST API, same origin. Every failure rejects with a RequestError. */

import type { RunEvent } from '../../../src/port/run_event';
import { fileAddress, imageAddress } from './attachment_address';
import { callRest } from './call_rest';
import type {
  AgentSummary,
  BranchPlace,
  ChildRunSummary,
  FileChange,
  GatewayInfo,
  HistoryMessage,
  Me,
  ModelSummary,
  NewSession,
  Page,
  Project,
  ResultPage,
  ResultQuery,
  RunSummary,
  SessionChange,
  SessionQuery,
  SessionSummary,
  ToolExecutionSummary,
  WorkingRun,
} from './rest_types';
import { type Shown, sendLogin } from './send_login';

/** Limit of the pages that `readPages` reads. */
const MAX_PAGES = 100;
const PAGE_SIZE = 200;
const MAX_RUNS = 100;

export interface RestClient {
  /** Exchanges a key for a cookie. Rejects with `unauthenticated` or `rate_limited`. */
  logIn(shown: Shown): Promise<Me>;
  /** Ends this login, or every login with this key. */
  logOut(everywhere: boolean): Promise<void>;
  me(): Promise<Me>;
  info(): Promise<GatewayInfo>;
  listAgents(): Promise<Page<AgentSummary>>;
  listModels(): Promise<Page<ModelSummary>>;
  listSessions(query?: SessionQuery): Promise<Page<SessionSummary>>;
  /** All pinned sessions. */
  listPinnedSessions(): Promise<SessionSummary[]>;
  listProjects(): Promise<Page<Project>>;
  getSession(id: string): Promise<SessionSummary>;
  createSession(fields: NewSession): Promise<SessionSummary>;
  changeSession(id: string, change: SessionChange): Promise<SessionSummary>;
  /** null: the model of the agent. */
  chooseModel(id: string, model: string | null): Promise<SessionSummary>;
  deleteSession(id: string): Promise<void>;
  /** Creates a session of the same chat with the messages before the run. */
  createBranch(id: string, beforeRunId: string): Promise<SessionSummary>;
  listBranchPlaces(id: string): Promise<Page<BranchPlace>>;
  /** Newest first. */
  listMessages(sessionId: string, page?: { cursor?: string | undefined; limit?: number }): Promise<Page<HistoryMessage>>;
  /** Newest first. */
  listRuns(sessionId: string, cursor?: string): Promise<Page<RunSummary>>;
  /** Runs of the crew members to which this run delegated tasks, newest first, at most 100. */
  listChildRuns(runId: string): Promise<ChildRunSummary[]>;
  /** Runs of all sessions that wait for an answer or an approval, at most 100. */
  listWaitingRuns(): Promise<WorkingRun[]>;
  /** Sessions with a run that works, at most 100. */
  listRunningRuns(): Promise<WorkingRun[]>;
  /** Open approvals of all sessions, at most 100. */
  listOpenApprovals(): Promise<{ parentSessionId?: string }[]>;
  /** Every event of a run that is still stored, in seq order. */
  listEvents(runId: string): Promise<RunEvent[]>;
  /** Newest first. */
  listToolExecutions(runId: string): Promise<ToolExecutionSummary[]>;
  /** Reads a part of the whole result of an execution. Rejects with `not_found` when there is none. */
  readResult(executionId: string, query: ResultQuery): Promise<ResultPage>;
  /** Stops one running call; the run goes on. Rejects when the call does not run. */
  stopToolCall(runId: string, toolCallId: string): Promise<void>;
  /** Undoes the change of an execution. Rejects with `undo_conflict` when the file has changed since. */
  undo(executionId: string): Promise<void>;
  /** Redoes a change that was undone. Rejects with `undo_conflict` when the file has changed since. */
  redo(executionId: string): Promise<void>;
  /** Calls of the session or of the run to tools that change files, newest first. */
  listFileChanges(sessionId: string): Promise<FileChange[]>;
}

export function createRestClient(): RestClient {
  return {
    logIn: sendLogin,
    logOut: everywhere => callRest('POST', '/logout', { everywhere }),
    me: () => callRest('GET', '/me'),
    info: () => callRest('GET', '/info'),
    listAgents: () => callRest('GET', '/agents'),
    listModels: () => callRest('GET', '/models'),
    listSessions: query => callRest('GET', `/sessions?${new URLSearchParams({ limit: '50', ...toText(query) })}`),
    listPinnedSessions: () => readPages('/sessions?pinned=true&limit=100'),
    listProjects: () => callRest('GET', '/projects'),
    getSession: id => callRest('GET', `/sessions/${encodeURIComponent(id)}`),
    createSession: fields => callRest('POST', '/sessions', fields),
    changeSession: (id, change) => callRest('PATCH', `/sessions/${encodeURIComponent(id)}`, change),
    chooseModel: (id, model) => callRest('PATCH', `/sessions/${encodeURIComponent(id)}`, { model }),
    deleteSession: id => callRest('DELETE', `/sessions/${encodeURIComponent(id)}`),
    createBranch: (id, before) => callRest('POST', `/sessions/${encodeURIComponent(id)}/branches`, { before }),
    listBranchPlaces: id => callRest('GET', `/sessions/${encodeURIComponent(id)}/branches/places`),
    listMessages,
    listRuns: (id, cursor) => callRest('GET', `/runs?sessionId=${encodeURIComponent(id)}&limit=${PAGE_SIZE}${cursorPart(cursor)}`),
    listChildRuns: id => readPages(`/runs?parent=${encodeURIComponent(id)}&limit=100`, { maxRows: MAX_RUNS }),
    listWaitingRuns: () => readPages('/runs?status=waiting&limit=100', { maxRows: MAX_RUNS }),
    listRunningRuns: () => readPages('/runs?status=running&limit=100', { maxRows: MAX_RUNS }),
    listOpenApprovals: () => readPages('/approvals?status=pending&limit=100', { maxRows: MAX_RUNS }),
    listToolExecutions: id => readPages(`/tool-executions?run=${encodeURIComponent(id)}&limit=${PAGE_SIZE}`),
    readResult: (id, { offset, limit, q }) => {
      const query = new URLSearchParams({ offset: String(offset), limit: String(limit) });
      if (q !== undefined) query.set('q', q);
      return callRest('GET', `/tool-executions/${encodeURIComponent(id)}/result?${query}`);
    },
    stopToolCall: (id, call) => callRest('POST', `/runs/${encodeURIComponent(id)}/tool-calls/${encodeURIComponent(call)}/cancel`),
    undo: id => callRest('POST', `/tool-executions/${encodeURIComponent(id)}/undo`),
    redo: id => callRest('POST', `/tool-executions/${encodeURIComponent(id)}/redo`),
    listFileChanges: id => readPages(`/sessions/${encodeURIComponent(id)}/changes?limit=${PAGE_SIZE}`),
    listEvents: id => readPages(`/runs/${encodeURIComponent(id)}/events?limit=${PAGE_SIZE}`, { cursorName: 'after' }),
  };
}

/** A message as the gateway sends it. */
type StoredMessage = HistoryMessage & { images?: readonly { id: string }[]; files?: readonly { id: string; name?: string }[] };

async function listMessages(
  sessionId: string,
  { cursor, limit = PAGE_SIZE }: { cursor?: string | undefined; limit?: number } = {},
): Promise<Page<HistoryMessage>> {
  const session = `/sessions/${encodeURIComponent(sessionId)}`;
  const page: Page<StoredMessage> = await callRest('GET', `${session}/messages?order=desc&limit=${limit}${cursorPart(cursor)}`);
  const data = page.data.map(({ images, files, ...message }): HistoryMessage => {
    const imageUrls = images?.map(({ id }) => imageAddress(sessionId, id));
    const sentFiles = files?.map(({ id, name }) => ({ name, address: fileAddress(sessionId, id) }));
    return { ...message, ...(imageUrls && { imageUrls }), ...(sentFiles && { sentFiles }) };
  });
  return { ...page, data };
}

/** The fields of a query that are given, as text. */
const toText = (query: SessionQuery = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));

const cursorPart = (cursor: string | undefined): string => (cursor ? `&cursor=${encodeURIComponent(cursor)}` : '');

/** Reads page after page until the list ends or there are `maxRows`. A page may be shorter than its limit. */
export async function readPages<T>(path: string, { cursorName = 'cursor', maxRows = Number.POSITIVE_INFINITY } = {}): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer: Page<T> = await callRest('GET', cursor ? `${path}&${cursorName}=${encodeURIComponent(cursor)}` : path);
    rows.push(...answer.data);
    cursor = answer.nextCursor;
    if (!cursor || rows.length >= maxRows) break;
  }
  return rows.slice(0, maxRows);
}
