/** A REST client, like another service that calls the gateway. */
import type { WireError } from '../../src/errors';
import type { RunEvent } from '../../src/port/run_event';
import type { RunResult } from '../../src/service/run_log/run_service';

export interface RestAnswer<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface ErrorBody {
  error: WireError;
}

export interface PageBody<T> {
  data: T[];
  nextCursor?: string;
}

/** A row of GET /sessions/:id/messages. */
export interface HistoryMessage {
  id: string;
  runId: string;
  role: string;
  content: string;
  images?: { id: string; mediaType: string; bytes: number }[];
  toolCallId?: string;
  toolCalls?: { toolCallId: string; name: string; arguments: string }[];
}

export interface RestClient {
  request<T = ErrorBody>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RestAnswer<T>>;
  /** Sends POST /runs and resolves with the result. */
  run(body: Record<string, unknown>, headers?: Record<string, string>): Promise<RestAnswer<RunResult>>;
  /** Reads the whole history of a session. */
  history(sessionId: string): Promise<HistoryMessage[]>;
  /** Sends a request and reads its server-sent events to the end. */
  stream(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RunEvent[]>;
}

/** `url`: the gateway's address. Paths are relative to /api/v1; a path that starts with `//` is relative to the root. */
export function createRestClient(url: string): RestClient {
  const fetchIt = (method: string, path: string, body: unknown, headers: Record<string, string>) =>
    fetch(path.startsWith('//') ? url + path.slice(1) : `${url}/api/v1${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const request: RestClient['request'] = async (method, path, body, headers = {}) => {
    const response = await fetchIt(method, path, body, headers);
    const text = await response.text();
    const isJson = /[/+]json(?:;|$)/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : isJson ? JSON.parse(text) : text };
  };
  return {
    request,
    run: (body, headers = {}) => request('POST', '/runs', body, headers),
    async history(sessionId) {
      const { body } = await request<PageBody<HistoryMessage>>('GET', `/sessions/${sessionId}/messages?limit=1000`);
      return body.data;
    },
    async stream(method, path, body, headers = {}) {
      const response = await fetchIt(method, path, body, { accept: 'text/event-stream', ...headers });
      return parseEventStream(await response.text());
    },
  };
}

/** Parses a complete SSE body; throws when `id` or `event` does not match the data. */
export function parseEventStream(text: string): RunEvent[] {
  const blocks = text.split('\n\n').filter(block => block.includes('data: '));
  return blocks.map(block => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const event = JSON.parse(field('data') ?? '') as RunEvent;
    if (field('event') !== event.type || (event.seq !== undefined && field('id') !== String(event.seq)))
      throw new Error(`odd SSE block: ${block}`);
    return event;
  });
}
