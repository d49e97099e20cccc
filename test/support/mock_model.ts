/**
 * A scripted model server for tests, over real HTTP on a free loopback port (OpenAI chat completions, streaming and not).
 *
 *   const model = await startMockModel();
 *   model.onTurn('list the files', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'There are two files.');
 *   model.onTurn(/poem/, { text: 'a long poem ...', chunkSize: 4, pauseAfter: 3 });  // streams 3 pieces, then waits for model.resume()
 *   model.onTurn('flaky', { error: { status: 500 }, times: 1 });                     // the retry falls through to the next script
 *   model.onTurn('flaky', 'fine now');
 *   ... OPENAI_BASE_URL=model.baseUrl, OPENAI_API_KEY=anything ...
 *   await model.waitFor('poem');            // resolves when a request has arrived; no sleep needed
 *   await model.stop();
 *
 * Only the messages of a request decide which script answers, so runs may go in parallel as long as their texts differ.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, type Fixture } from '@copilotkit/aimock';
import type { ChatMessage, WireTool } from '../../src/port/llm';
import { PacedResponse } from './paced_response';

/** Body of a chat completions request. */
export interface ModelRequestBody {
  model: string;
  messages: ChatMessage[];
  tools?: WireTool[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  reasoning_effort?: string;
  [field: string]: unknown;
}

/** A received request, with the fields that scripts and assertions need. */
export interface ModelRequest {
  body: ModelRequestBody;
  headers: IncomingHttpHeaders;
  /** Text of the last user message; '' without one. */
  userText: string;
  /** Assistant messages since the last user message: the step of the turn, from 0. */
  step: number;
  /** Contents of the tool messages since the last user message, in order. */
  toolResults: string[];
  /** Names of the offered tools. */
  toolNames: string[];
  /** Port of the client's connection; equal ports mean a reused connection. */
  clientPort: number;
  /** The end of the request: the answer was sent completely, or the client closed the connection first. */
  ended: Promise<'complete' | 'hung_up'>;
}

/** A string: the last user message contains it. A RegExp: the last user message matches. A function: anything else. */
export type TurnMatch = string | RegExp | ((request: ModelRequest) => boolean);

export interface ScriptedCall {
  name: string;
  /** An object is sent as JSON, a string unchanged (for malformed arguments). */
  arguments?: Record<string, unknown> | string;
  /** Default: a fresh id. */
  id?: string;
}

export interface ScriptedAnswer {
  text?: string;
  toolCalls?: ScriptedCall[];
  reasoning?: string;
  /** Default: estimated from the texts. */
  usage?: { inputTokens: number; outputTokens: number };
  /** Default: `tool_calls` when there are calls, else `stop`. */
  finishReason?: string;
}

export interface ScriptedError {
  error: { status: number; message?: string /** Used with status 429; default 1. */; retryAfterSeconds?: number };
}

export interface Pacing {
  /** Characters per streamed piece; default 20. */
  chunkSize?: number;
  /** Milliseconds before each piece; default 0. */
  chunkDelayMs?: number;
  /** Number of pieces before the stream pauses until `resume`; 0 pauses before the headers. */
  pauseAfter?: number;
  /** Number of requests that this reply answers; default: any number. */
  times?: number;
}

/** A string is a text answer. A function gets the request, for example to answer with a tool's result. */
export type Reply =
  | string
  | ((ScriptedAnswer | ScriptedError) & Pacing)
  | ((request: ModelRequest) => string | ScriptedAnswer | ScriptedError);

export interface MockModel {
  /** The value for OPENAI_BASE_URL: `http://127.0.0.1:<port>/v1`. */
  readonly baseUrl: string;
  /**
   * Scripts a turn: reply i answers the request with i assistant messages since the matching user message, so the replies are the
   * successive answers of one agent loop. The first matching script with such a reply wins. A request without a matching script gets
   * status 400 with a message that says so.
   */
  onTurn(match: TurnMatch, ...replies: Reply[]): void;
  /** Every request so far, oldest first. */
  requests(match?: TurnMatch): ModelRequest[];
  /** Resolves with the first request, past or future, that matches, when its answer has begun and can be resumed. */
  waitFor(match: TurnMatch): Promise<ModelRequest>;
  /** Resumes every paused answer. */
  resume(): void;
  /** Open client connections. */
  connections(): number;
  /** Closes the server and every connection. */
  stop(): Promise<void>;
}

/** Starts a mock model server, on a free port without `port`. Stop it in the test's clean-up. */
export async function startMockModel(port = 0): Promise<MockModel> {
  const exchanges = new AsyncLocalStorage<Exchange>();
  const seen = new RequestLog();
  const paced = new Set<PacedResponse>();
  const readRequest = (body: unknown): ModelRequest => {
    const exchange = exchanges.getStore();
    if (!exchange) throw new Error('the mock model lost track of its request');
    return seen.read(body as ModelRequestBody, exchange.request, exchange.response);
  };
  const pace = (reply: Pacing): void => {
    const { request, response } = exchanges.getStore() ?? {};
    if (!request || !response) return;
    // The callers of waitFor go on after this function: then the answer below can be resumed.
    seen.beginAnswer(request);
    if (reply.pauseAfter === undefined && !reply.chunkDelayMs) return;
    const slow = new PacedResponse(response, { delayMs: reply.chunkDelayMs ?? 0, pauseAfter: reply.pauseAfter });
    paced.add(slow);
    response.once('close', () => paced.delete(slow));
  };

  const fixtures: Fixture[] = [];
  const instance = await createServer(fixtures, { port, host: '127.0.0.1', chunkSize: 20, journalMaxEntries: 1 });
  const { server } = instance;
  rememberExchange(server, exchanges);
  const sockets = new Set<unknown>();
  server.on('connection', socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  const unscripted = toFixture({ matches: () => true, reply: toUnscriptedError }, readRequest, pace);
  fixtures.push(unscripted);
  const resume = () => {
    for (const slow of paced) slow.resume();
  };
  return {
    baseUrl: `${instance.url}/v1`,
    onTurn(match, ...replies) {
      const scripts = replies.map((reply, step) => ({
        matches: (request: ModelRequest) => request.step === step && isMatch(match, request),
        reply,
      }));
      fixtures.splice(fixtures.indexOf(unscripted), 0, ...scripts.map(script => toFixture(script, readRequest, pace)));
    },
    requests: match => seen.all.filter(request => match === undefined || isMatch(match, request)),
    waitFor: match => seen.waitFor(candidate => isMatch(match, candidate)),
    resume,
    connections: () => sockets.size,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Carries request and response to the scripts; the mock server library passes them only the parsed body. */
function rememberExchange(server: Server, exchanges: AsyncLocalStorage<Exchange>): void {
  const [handle] = server.listeners('request') as Array<(request: IncomingMessage, response: ServerResponse) => void>;
  server.removeAllListeners('request');
  server.on('request', (request, response) => exchanges.run({ request, response }, () => handle?.(request, response)));
}

/** Requests in order of arrival, and the callers that wait for the beginning of an answer. */
class RequestLog {
  readonly all: ModelRequest[] = [];
  private readonly answered: ModelRequest[] = [];
  private readonly known = new WeakMap<IncomingMessage, ModelRequest>();
  private readonly waiting = new Set<(request: ModelRequest) => void>();

  read(body: ModelRequestBody, incoming: IncomingMessage, response: ServerResponse): ModelRequest {
    const known = this.known.get(incoming);
    if (known) return known;
    const request = toModelRequest(body, incoming, response);
    this.known.set(incoming, request);
    this.all.push(request);
    return request;
  }

  beginAnswer(incoming: IncomingMessage): void {
    const request = this.known.get(incoming);
    if (!request) throw new Error('the mock model answers a request that it has not read');
    this.answered.push(request);
    for (const check of this.waiting) check(request);
  }

  waitFor(matches: (request: ModelRequest) => boolean): Promise<ModelRequest> {
    const past = this.answered.find(matches);
    if (past) return Promise.resolve(past);
    return new Promise(resolve => {
      const check = (request: ModelRequest) => {
        if (!matches(request)) return;
        this.waiting.delete(check);
        resolve(request);
      };
      this.waiting.add(check);
    });
  }
}

interface Script {
  matches: (request: ModelRequest) => boolean;
  reply: Reply;
}

function toFixture(script: Script, readRequest: (body: unknown) => ModelRequest, pace: (pacing: Pacing) => void): Fixture {
  const { reply } = script;
  const pacing: Pacing = typeof reply === 'object' ? reply : {};
  let left = pacing.times ?? Number.POSITIVE_INFINITY;
  const respond = (body: unknown) => {
    left--;
    pace(pacing);
    return toFixtureResponse(typeof reply === 'function' ? reply(readRequest(body)) : reply);
  };
  return {
    match: { predicate: body => left > 0 && script.matches(readRequest(body)) },
    response: respond,
    ...(pacing.chunkSize && { chunkSize: pacing.chunkSize }),
  };
}

function toFixtureResponse(reply: string | ScriptedAnswer | ScriptedError): Exclude<Fixture['response'], (...args: never[]) => unknown> {
  if (typeof reply === 'string') return { content: reply };
  if ('error' in reply) {
    const { status, message, retryAfterSeconds } = reply.error;
    return { error: { message: message ?? `scripted error ${status}`, type: 'scripted_error' }, status, retryAfter: retryAfterSeconds };
  }
  const { text, toolCalls, reasoning, usage, finishReason } = reply;
  const extras = {
    ...(reasoning !== undefined && { reasoning }),
    ...(usage && { usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens } }),
    ...(finishReason !== undefined && { finishReason }),
  };
  if (!toolCalls) return { content: text ?? '', ...extras };
  const calls = toolCalls.map(call => ({ name: call.name, arguments: toArgumentText(call), ...(call.id && { id: call.id }) }));
  return text === undefined ? { toolCalls: calls, ...extras } : { content: text, toolCalls: calls, ...extras };
}

const toArgumentText = (call: ScriptedCall): string =>
  typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});

const toUnscriptedError = (request: ModelRequest): ScriptedError => ({
  error: { status: 400, message: `no scripted turn answers step ${request.step} of "${request.userText.slice(0, 200)}"` },
});

function isMatch(match: TurnMatch, request: ModelRequest): boolean {
  if (typeof match === 'function') return match(request);
  return typeof match === 'string' ? request.userText.includes(match) : request.userText.search(match) >= 0;
}

function toModelRequest(body: ModelRequestBody, incoming: IncomingMessage, response: ServerResponse): ModelRequest {
  const userIndex = body.messages.findLastIndex(message => message.role === 'user');
  const turn = body.messages.slice(userIndex + 1);
  return {
    body,
    headers: incoming.headers,
    userText: textOf(body.messages[userIndex]?.content),
    step: turn.filter(message => message.role === 'assistant').length,
    toolResults: turn.filter(message => message.role === 'tool').map(message => message.content),
    toolNames: (body.tools ?? []).map(tool => tool.function.name),
    clientPort: incoming.socket.remotePort ?? 0,
    ended: new Promise(resolve => {
      response.once('finish', () => resolve('complete'));
      response.once('close', () => resolve('hung_up'));
    }),
  };
}

/** A message with images has parts; its text is the first. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content.flatMap((part: { text?: string }) => part.text ?? []).join('\n');
}
