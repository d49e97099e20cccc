/**
 * A model server that fails in named ways, over raw HTTP. Each way has its own base URL on the same port, so tests can run in parallel:
 *
 *   const broken = await startBrokenModel();
 *   ... OPENAI_BASE_URL=broken.baseUrl('resets_in_the_middle') ...
 *   const own = broken.serve(({ response }) => response.end('anything'));
 *   await broken.stop();
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Number of this request to its base URL, from 1. */
  attempt: number;
  /** The parsed body of the request. */
  body: Record<string, unknown>;
}

export type Answer = (exchange: Exchange) => void;

export interface BrokenModel {
  baseUrl(way: BrokenWay): string;
  /** Returns a base URL that fails in the way named by the last user message, and answers "fine" to any other message. */
  baseUrlByMessage(): string;
  /** Returns a base URL with this answer. */
  serve(answer: Answer): string;
  /** Returns the number of requests to this base URL. */
  requests(baseUrl: string): number;
  /** Resolves when a connection that served this base URL is closed, past or future, with the time (performance.now()). */
  closed(baseUrl: string): Promise<number>;
  /** Resolves when the first request to this base URL arrives, or at once if it has. */
  arrived(baseUrl: string): Promise<void>;
  /** Returns the number of connections opened so far. */
  connectionCount(): number;
  stop(): Promise<void>;
}

/** The ways to fail. `Retry-After` values are small, so that tests are quick. */
const WAYS = {
  resets_at_once: ({ request }) => request.socket.resetAndDestroy(),
  resets_in_the_middle: ({ request, response }) => {
    sendEvents(response, [textChunk('half an ans')]);
    setImmediate(() => request.socket.resetAndDestroy());
  },
  stalls_before_headers: () => {},
  stalls_after_headers: ({ response }) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
  stalls_in_the_middle: ({ response }) => sendEvents(response, [textChunk('and then')]),
  drips_comments: ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const drip = setInterval(() => response.write(': still here\n\n'), 5);
    response.once('close', () => clearInterval(drip));
  },
  drips_empty_events: ({ response }) => {
    const drip = setInterval(() => sendEvents(response, [textChunk('')]), 5);
    response.once('close', () => clearInterval(drip));
  },
  cuts_a_call_off: ({ response }) =>
    endEvents(response, [callChunk({ index: 0, id: 'a', function: { name: 'bash', arguments: '{"command":' } })]),
  sends_a_web_page: ({ response }) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title><p>It works!'),
  sends_json_error: ({ response }) => sendJson(response, 200, { error: { message: 'The engine is on fire', type: 'server_error' } }),
  sends_other_json: ({ response }) => sendJson(response, 200, { hello: 'world' }),
  sends_error_in_stream: ({ response }) => endEvents(response, [{ error: { message: 'Upstream went away', code: 502 } }]),
  sends_late_error_in_stream: ({ response }) =>
    endEvents(response, [textChunk('so far so '), { error: { message: 'Upstream went away', code: 502 } }]),
  refuses_the_key: ({ request, response }) =>
    sendJson(response, 401, {
      error: { message: `Incorrect API key provided: ${request.headers.authorization?.slice(7)}`, code: 'invalid_api_key' },
    }),
  knows_no_such_model: ({ response }) =>
    sendJson(response, 404, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }),
  refuses_the_request: ({ response }) =>
    sendJson(response, 400, { error: { message: 'Invalid schema for function', type: 'invalid_request_error' } }),
  has_no_quota_left: ({ response }) =>
    sendJson(response, 429, { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }),
  limits_the_rate: ({ response }) => sendJson(response, 429, { error: { message: 'Slow down' } }, { 'retry-after': '0.05' }),
  asks_to_wait_a_day: ({ response }) => sendJson(response, 429, { error: { message: 'Come back tomorrow' } }, { 'retry-after': '86400' }),
  is_overloaded: ({ response }) => sendJson(response, 529, { error: { message: 'Overloaded', type: 'overloaded_error' } }),
  fails_always: ({ response }) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end(`<h1>Internal error</h1>${'x'.repeat(50_000)}`),
  fails_once: ({ response, attempt }) =>
    attempt === 1
      ? sendJson(response, 500, { error: { message: 'Try again' } })
      : endEvents(response, [textChunk('fine now'), finish('stop'), '[DONE]']),
  redirects: ({ response }) => response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end(),
  ends_without_finish: ({ response }) => endEvents(response, [textChunk('half an ans')]),
  sends_huge_text: ({ response }) =>
    endEvents(
      response,
      [...Array(64)].map(() => textChunk('x'.repeat(1024))),
    ),
  sends_huge_arguments: ({ response }) =>
    endEvents(response, [
      callChunk({ index: 0, id: 'a', function: { name: 'bash', arguments: '' } }),
      ...[...Array(64)].map(() => callChunk({ index: 0, function: { arguments: 'y'.repeat(1024) } })),
    ]),
  sends_a_huge_line: ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: ');
    const more = () => {
      while (!response.destroyed && response.write('z'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  },
  sends_too_many_calls: ({ response }) =>
    endEvents(
      response,
      [...Array(40)].map((_, index) => callChunk({ index, id: `c${index}`, function: { name: 'todo', arguments: '{}' } })),
    ),
  sends_a_wild_index: ({ response }) =>
    endEvents(response, [callChunk({ index: 1e9, id: 'a', function: { name: 'bash', arguments: '{}' } }), finish('tool_calls'), '[DONE]']),
  sends_broken_json: ({ response }) => endEvents(response, ['{"choices":[{"delta":{"content":"hel']),
  sends_nothing_at_all: ({ response }) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
  sends_an_empty_answer: ({ response }) => endEvents(response, [textChunk(''), finish('stop'), '[DONE]']),
  cuts_a_call: ({ response }) =>
    endEvents(response, [
      textChunk('I will '),
      callChunk({ index: 0, id: 'a', function: { name: 'bash', arguments: '{"command":"rm' } }),
      finish('length'),
      '[DONE]',
    ]),
  breaks_its_chunks: ({ request, response }) => {
    response.writeHead(200).flushHeaders();
    setImmediate(() => request.socket.write('no chunk\r\n'));
  },
  speaks_no_http: ({ request }) => request.socket.end('220 mail.example.com ESMTP\r\n'),
} satisfies Record<string, Answer>;

export type BrokenWay = keyof typeof WAYS;

interface Arrivals {
  count: number;
  first: PromiseWithResolvers<void>;
  closed: PromiseWithResolvers<number>;
  sockets: WeakSet<Socket>;
}

/** Starts a failing model server. Stop it in the test's clean-up. */
export async function startBrokenModel(): Promise<BrokenModel> {
  const answers = new Map<string, Answer>([...Object.entries(WAYS), ['by_message', answerByMessage]]);
  const arrivals = new Map<string, Arrivals>();
  const arrivalsAt = (name: string) => {
    const known = arrivals.get(name) ?? {
      count: 0,
      first: Promise.withResolvers(),
      closed: Promise.withResolvers(),
      sockets: new WeakSet(),
    };
    arrivals.set(name, known);
    return known;
  };
  let connections = 0;
  const server = createServer(async (request, response) => {
    // The gateway looks whether the server is there.
    if (request.method === 'GET') return void response.writeHead(404).end();
    const name = request.url?.split('/')[1] ?? '';
    const arrival = arrivalsAt(name);
    arrival.count++;
    arrival.first.resolve();
    if (!arrival.sockets.has(request.socket)) request.socket.once('close', () => arrival.closed.resolve(performance.now()));
    arrival.sockets.add(request.socket);
    const body = JSON.parse(await readText(request));
    (answers.get(name) ?? (() => response.writeHead(404).end()))({ request, response, attempt: arrival.count, body });
  });
  server.on('connection', () => connections++);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const toUrl = (name: string) => `http://127.0.0.1:${port}/${name}/v1`;
  const toName = (baseUrl: string) => new URL(baseUrl).pathname.split('/')[1] ?? '';
  return {
    baseUrl: toUrl,
    baseUrlByMessage: () => toUrl('by_message'),
    serve(answer) {
      const name = `own_${answers.size}`;
      answers.set(name, answer);
      return toUrl(name);
    },
    requests: baseUrl => arrivalsAt(toName(baseUrl)).count,
    closed: baseUrl => arrivalsAt(toName(baseUrl)).closed.promise,
    arrived: baseUrl => arrivalsAt(toName(baseUrl)).first.promise,
    connectionCount: () => connections,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

const answerByMessage: Answer = exchange => {
  const messages = exchange.body['messages'] as { role: string; content: string }[];
  const text = messages.findLast(message => message.role === 'user')?.content ?? '';
  const way: Answer | undefined = WAYS[text as BrokenWay];
  if (way) way(exchange);
  else endEvents(exchange.response, [textChunk('fine'), finish('stop'), '[DONE]']);
};

/** Returns a base URL on a port without a listener. */
export async function refusedBaseUrl(): Promise<string> {
  const server = createTcpServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return `http://127.0.0.1:${port}/v1`;
}

/** Starts a server that accepts connections and never finishes the TLS handshake. `closed` resolves when the client has closed the first one. */
export async function startSilentTls(): Promise<{ baseUrl: string; connected: Promise<void>; closed: Promise<void>; stop(): void }> {
  const connected = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const server = createTcpServer(socket => {
    socket.on('error', () => {}).resume();
    socket.once('close', () => closed.resolve());
    connected.resolve();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `https://127.0.0.1:${port}/v1`, connected: connected.promise, closed: closed.promise, stop: () => server.close() };
}

/** Creates a streamed chunk with this delta. */
export const chunk = (delta: Record<string, unknown>, finishReason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finishReason }],
});
export const textChunk = (content: string) => chunk({ content });
export const callChunk = (...calls: unknown[]) => chunk({ tool_calls: calls });
export const finish = (reason: string) => chunk({}, reason);

type Event = Record<string, unknown> | string;

/** Encodes server-sent events; a string is sent unchanged. */
export const toEventStream = (events: readonly Event[]): string =>
  events.map(event => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

/** Sends events and leaves the stream open. */
export function sendEvents(response: ServerResponse, events: readonly Event[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(toEventStream(events));
}

/** Sends events and ends the stream. */
export function endEvents(response: ServerResponse, events: readonly Event[]): void {
  sendEvents(response, events);
  response.end();
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}
