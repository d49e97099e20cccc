/** Typed calls of the REST API, same origin. Every failure rejects with a RequestError. */
import type { RunEvent } from '../../../src/port/run_event';
import { RequestError, toRequestError } from './request_error';
import type { GatewayInfo, HistoryMessage, Page, RunSummary, SessionSummary, ThinkingLevel, ToolExecutionSummary } from './rest_types';

const BASE = '/api/v1';
/** Limit of the pages that `readPages` reads. */
const MAX_PAGES = 100;
const PAGE_SIZE = 200;
const MAX_RUNS = 100;

export interface RestClient {
  info(): Promise<GatewayInfo>;
  listSessions(cursor?: string): Promise<Page<SessionSummary>>;
  getSession(id: string): Promise<SessionSummary>;
  createSession(fields: { thinkingLevel: ThinkingLevel }): Promise<SessionSummary>;
  renameSession(id: string, title: string): Promise<SessionSummary>;
  deleteSession(id: string): Promise<void>;
  /** Newest first. */
  listMessages(sessionId: string, cursor?: string): Promise<Page<HistoryMessage>>;
  /** Newest first. */
  listRuns(sessionId: string, cursor?: string): Promise<Page<RunSummary>>;
  /** Runs of all sessions that wait for an answer or an approval, at most 100. */
  listWaitingRuns(): Promise<{ sessionId: string }[]>;
  /** Every event of a run that is still stored, in seq order. */
  listEvents(runId: string): Promise<RunEvent[]>;
  /** Newest first. */
  listToolExecutions(runId: string): Promise<ToolExecutionSummary[]>;
  /** Rejects with `undo_conflict` when the file is not as the execution left it. */
  undo(executionId: string): Promise<void>;
}

export function createRestClient(): RestClient {
  return {
    info: () => call('GET', '/info'),
    listSessions: cursor => call('GET', `/sessions?limit=50${cursorPart(cursor)}`),
    getSession: id => call('GET', `/sessions/${encodeURIComponent(id)}`),
    createSession: fields => call('POST', '/sessions', fields),
    renameSession: (id, title) => call('PATCH', `/sessions/${encodeURIComponent(id)}`, { title }),
    deleteSession: id => call('DELETE', `/sessions/${encodeURIComponent(id)}`),
    listMessages: (id, cursor) =>
      call('GET', `/sessions/${encodeURIComponent(id)}/messages?order=desc&limit=${PAGE_SIZE}${cursorPart(cursor)}`),
    listRuns: (id, cursor) => call('GET', `/runs?sessionId=${encodeURIComponent(id)}&limit=${PAGE_SIZE}${cursorPart(cursor)}`),
    listWaitingRuns: () => readPages('/runs?status=waiting&limit=100', { maxRows: MAX_RUNS }),
    listToolExecutions: id => readPages(`/tool-executions?run=${encodeURIComponent(id)}&limit=${PAGE_SIZE}`),
    undo: id => call('POST', `/tool-executions/${encodeURIComponent(id)}/undo`),
    listEvents: id => readPages(`/runs/${encodeURIComponent(id)}/events?limit=${PAGE_SIZE}`, { cursorName: 'after' }),
  };
}

const cursorPart = (cursor: string | undefined): string => (cursor ? `&cursor=${encodeURIComponent(cursor)}` : '');

/** Reads page after page until the list ends or there are `maxRows`. A page may be shorter than its limit. */
async function readPages<T>(path: string, { cursorName = 'cursor', maxRows = Number.POSITIVE_INFINITY } = {}): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer: Page<T> = await call('GET', cursor ? `${path}&${cursorName}=${encodeURIComponent(cursor)}` : path);
    rows.push(...answer.data);
    cursor = answer.nextCursor;
    if (!cursor || rows.length >= maxRows) break;
  }
  return rows.slice(0, maxRows);
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(BASE + path, {
    method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new RequestError('disconnected', String(cause), true);
  });
  const text = await response.text();
  if (!response.ok) throw toRequestError(parse(text), `HTTP ${response.status}`);
  // The contract promises the shapes of the responses. An empty body has no content.
  return (text === '' ? undefined : parse(text)) as T;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
