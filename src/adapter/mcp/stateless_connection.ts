/**
 * A server over HTTP of a version without sessions. Nothing is open between requests, apart from the stream that tells of changed tools. A server asks
 * the person by its answer to a call; the call is then repeated with the answers.
 */
import type { CallToolResult, Client, ElicitResult, InputRequiredResult, Progress, Tool } from '@modelcontextprotocol/client';
import {
  type McpCallOptions,
  type McpCallResult,
  type McpConnection,
  McpError,
  type McpHandlers,
  type McpResource,
  type McpTool,
  type McpToolList,
} from '../../port/mcp';
import { traceHeaders } from '../../port/traceparent';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { toPlainText } from '../../utils/plain_text';
import { assureAnswer, NO_SCHEMA_CHECK, NO_TIMEOUT, NO_TOOLS, readToolList, serverNameOf, withOwnSignal } from './connection_requests';
import { decodeCallResult, decodeResources } from './decode_results';
import { followTask } from './follow_task';
import { createBoundedFetch, type Fetch, type HttpTarget } from './http_transport';
import { readParamHeaders } from './param_headers';
import { toStatelessError } from './stateless_errors';
import type { Discovery } from './stateless_probe';
import { CLIENT_INFO, STATELESS_CAPABILITIES, sendStateless } from './stateless_request';
import { statelessSdk } from './stateless_sdk';
import { unwrapTask, unwrapTools, wrapTask, wrapTools } from './tool_envelopes';

/** A server that asks again and again is refused; McpCall declines earlier. */
const MAX_ROUNDS = 20;
const CANCEL_MS = 5_000;
const MAX_WORDS = 500;
const DECLINED: ElicitResult = { action: 'decline' };

type JsonObject = Record<string, unknown>;
type InputRequests = NonNullable<InputRequiredResult['inputRequests']>;

interface StatelessOptions {
  target: HttpTarget;
  handlers: McpHandlers;
  redact: (text: string) => string;
  fetch?: Fetch | undefined;
}

export class StatelessConnection implements McpConnection {
  readonly transport = 'http';
  private readonly client: Client;
  private readonly closed = new AbortController();
  /** The tools with arguments that go to the server as headers too. */
  private readonly withHeaders = new Map<string, Tool>();

  constructor(private readonly options: StatelessOptions) {
    const { Client } = statelessSdk();
    this.client = new Client(CLIENT_INFO, {
      capabilities: STATELESS_CAPABILITIES,
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: NO_SCHEMA_CHECK,
    });
    this.client.setNotificationHandler('notifications/tools/list_changed', () => options.handlers.onToolsChange());
  }

  /** Takes what the server has told of itself; sends nothing but the request for changes. */
  async open(discovery: Discovery): Promise<void> {
    const { StreamableHTTPClientTransport } = statelessSdk();
    const { url, headers } = this.options.target;
    const { fetch: send = createBoundedFetch(url) } = this.options;
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: send,
      requestInit: { headers: { ...headers } },
    });
    // The client calls this before its own handler.
    transport.onmessage = message => {
      wrapTools(message);
      wrapTask(message);
    };
    await this.client.connect(transport, { prior: { kind: 'modern', discover: discovery as never } });
    if (this.client.getServerCapabilities()?.tools?.listChanged) void this.listen();
  }

  get server(): { name: string; version: string } {
    return serverNameOf(this.client.getServerVersion());
  }

  async listTools(signal: AbortSignal): Promise<McpToolList> {
    if (!this.client.getServerCapabilities()?.tools) return NO_TOOLS;
    const list = await readToolList(async params =>
      unwrapTools(await this.send(signal, options => this.client.request({ method: 'tools/list', params }, options))),
    );
    return { ...list, tools: list.tools.map(tool => this.readHeaders(tool)) };
  }

  private readHeaders(tool: McpTool): McpTool {
    const { name, inputSchema } = tool;
    const { hasHeaders, problem } = readParamHeaders(inputSchema);
    if (hasHeaders) this.withHeaders.set(name, { name, inputSchema: inputSchema as Tool['inputSchema'] });
    else this.withHeaders.delete(name);
    return { ...tool, problem };
  }

  async callTool(name: string, args: JsonObject, { signal, onProgress, key, trace }: McpCallOptions): Promise<McpCallResult> {
    const onprogress = ({ progress, total, message }: Progress) => onProgress({ progress, total, message });
    const call = { name, arguments: args, _meta: trace && { ...traceHeaders(trace) } };
    let answers: JsonObject = {};
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const params = { ...call, ...answers };
      const toolDefinition = this.withHeaders.get(name);
      const result: CallToolResult | InputRequiredResult = await this.send(signal, options =>
        this.client.callTool(params, { ...options, onprogress, toolDefinition, allowInputRequired: true }),
      );
      if (!statelessSdk().isInputRequiredResult(result)) return decodeCallResult(await this.resultOf(result, { key, signal }));
      answers = await this.answer(result, { key, signal });
    }
    throw new McpError('refused', inBoth(`It asked more than ${MAX_ROUNDS} times.`, `它询问了超过 ${MAX_ROUNDS} 次。`));
  }

  /** Resolves with the result of a call, also of one that was answered with a task. */
  private async resultOf(result: CallToolResult, asker: Pick<McpCallOptions, 'key' | 'signal'>): Promise<JsonObject> {
    const task = unwrapTask(result);
    if (!task) return result;
    const answered = new Set<string>();
    const send = (method: string, params: JsonObject, signal: AbortSignal) => {
      const { target, fetch } = this.options;
      return this.send(signal, ({ signal: own }) =>
        sendStateless(target, { method, name: String(params['taskId']), params }, { signal: own, fetch }),
      );
    };
    const read = (taskId: string) => send('tasks/get', { taskId }, asker.signal);
    const settle = async ({ taskId, status, result: ended, error, inputRequests }: JsonObject) => {
      if (status === 'completed') return (ended ?? {}) as JsonObject;
      if (status === 'failed') throw new McpError('refused', this.wordsOf(error));
      // A task shows a question until it has read the answer.
      const open = Object.entries((inputRequests ?? {}) as InputRequests).filter(([id]) => !answered.has(id));
      if (open.length === 0) return undefined;
      const { inputResponses } = await this.answer({ inputRequests: Object.fromEntries(open) }, asker);
      for (const [id] of open) answered.add(id);
      await send('tasks/update', { taskId, inputResponses }, asker.signal);
      return undefined;
    };
    const cancel = (taskId: string) => send('tasks/cancel', { taskId }, AbortSignal.timeout(CANCEL_MS));
    return followTask(task, { read, settle, cancel }, asker.signal);
  }

  private wordsOf(error: unknown): Bilingual {
    const { message } = (error ?? {}) as { message?: unknown };
    const words = toPlainText(this.options.redact(typeof message === 'string' ? message : 'The task failed.')).slice(0, MAX_WORDS);
    return inBoth(words, `“${words}”。`);
  }

  async readResource(uri: string, signal: AbortSignal): Promise<McpResource[]> {
    const params = { uri };
    return decodeResources(await this.send(signal, options => this.client.request({ method: 'resources/read', params }, options)));
  }

  /** A server without sessions has no ping: it tells of itself. */
  async ping(signal: AbortSignal): Promise<void> {
    await assureAnswer(this.send(signal, options => this.client.discover(options)));
  }

  redact(text: string): string {
    return this.options.redact(text);
  }

  async close(): Promise<void> {
    this.closed.abort();
    await this.client.close().catch(() => {});
  }

  /** Asks the person for the values of each request, one after the other. */
  private async answer(
    { inputRequests = {}, requestState }: Pick<InputRequiredResult, 'inputRequests' | 'requestState'>,
    { key, signal }: Pick<McpCallOptions, 'key' | 'signal'>,
  ): Promise<JsonObject> {
    const inputResponses: Record<string, ElicitResult> = {};
    for (const [id, { method, params }] of Object.entries(inputRequests)) {
      const isForm = method === 'elicitation/create' && 'requestedSchema' in params;
      const question = isForm && { message: String(params.message), schema: params.requestedSchema as JsonObject, call: key };
      inputResponses[id] = question ? await this.options.handlers.onElicitation(question, signal) : DECLINED;
      signal.throwIfAborted();
    }
    return { inputResponses, requestState };
  }

  /** Keeps the stream that tells of changed tools. Without it the tools are read when the server connects anew. */
  private async listen(): Promise<void> {
    await this.client.listen({ toolsListChanged: true }, { signal: this.closed.signal, timeout: NO_TIMEOUT }).catch(() => {});
  }

  private async send<T>(signal: AbortSignal, request: (options: { signal: AbortSignal; timeout: number }) => Promise<T>): Promise<T> {
    try {
      return await withOwnSignal(signal, own => request({ signal: own, timeout: NO_TIMEOUT }));
    } catch (thrown) {
      const error = toStatelessError(thrown, { signal, redact: this.options.redact });
      if (error.kind === 'lost' && !this.closed.signal.aborted) this.end(error);
      throw error;
    }
  }

  /** Ends a connection whose server is away, so that the server is tried again later. */
  private end({ text }: McpError): void {
    this.closed.abort();
    this.options.handlers.onClose(text);
    void this.client.close().catch(() => {});
  }
}
