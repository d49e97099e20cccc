/**
 * A server over HTTP of a version without sessions. Nothing is open between requests, apart from the stream that tells of changed tools. A server asks
 * the person by its answer to a call; the call is then repeated with the answers.
 */
import type { Client, ElicitResult, InputRequiredResult, Progress } from '@modelcontextprotocol/client';
import {
  type McpCallOptions,
  type McpCallResult,
  type McpConnection,
  McpError,
  type McpHandlers,
  type McpResource,
  type McpToolList,
} from '../../port/mcp';
import { traceHeaders } from '../../port/traceparent';
import { inBoth } from '../../utils/bilingual';
import {
  APP_SUPPORT,
  assureAnswer,
  NO_SCHEMA_CHECK,
  NO_TIMEOUT,
  NO_TOOLS,
  readToolList,
  serverNameOf,
  withOwnSignal,
} from './connection_requests';
import { decodeCallResult, decodeResources } from './decode_results';
import { createBoundedFetch, type Fetch, type HttpTarget } from './http_transport';
import { toStatelessError } from './stateless_errors';
import { CLIENT_INFO, type Discovery } from './stateless_probe';
import { statelessSdk } from './stateless_sdk';
import { unwrapTools, wrapTools } from './tool_envelopes';

/** A server that asks again and again is refused; McpCall declines earlier. */
const MAX_ROUNDS = 20;
const DECLINED: ElicitResult = { action: 'decline' };

type JsonObject = Record<string, unknown>;

interface StatelessOptions {
  handlers: McpHandlers;
  redact: (text: string) => string;
}

export class StatelessConnection implements McpConnection {
  readonly transport = 'http';
  private readonly client: Client;
  private readonly closed = new AbortController();

  constructor(private readonly options: StatelessOptions) {
    const { Client } = statelessSdk();
    this.client = new Client(CLIENT_INFO, {
      capabilities: { elicitation: { form: {} }, extensions: APP_SUPPORT },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: NO_SCHEMA_CHECK,
    });
    this.client.setNotificationHandler('notifications/tools/list_changed', () => options.handlers.onToolsChange());
  }

  /** Takes what the server has told of itself; sends nothing but the request for changes. */
  async open({ url, headers }: HttpTarget, discovery: Discovery, send: Fetch = createBoundedFetch(url)): Promise<void> {
    const { StreamableHTTPClientTransport } = statelessSdk();
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: send,
      requestInit: { headers: { ...headers } },
    });
    // The client calls this before its own handler.
    transport.onmessage = message => wrapTools(message);
    await this.client.connect(transport, { prior: { kind: 'modern', discover: discovery as never } });
    if (this.client.getServerCapabilities()?.tools?.listChanged) void this.listen();
  }

  get server(): { name: string; version: string } {
    return serverNameOf(this.client.getServerVersion());
  }

  async listTools(signal: AbortSignal): Promise<McpToolList> {
    if (!this.client.getServerCapabilities()?.tools) return NO_TOOLS;
    return readToolList(async params =>
      unwrapTools(await this.send(signal, options => this.client.request({ method: 'tools/list', params }, options))),
    );
  }

  async callTool(name: string, args: JsonObject, { signal, onProgress, key, trace }: McpCallOptions): Promise<McpCallResult> {
    const onprogress = ({ progress, total, message }: Progress) => onProgress({ progress, total, message });
    const call = { name, arguments: args, _meta: trace && { ...traceHeaders(trace) } };
    let answers: JsonObject = {};
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const params = { ...call, ...answers };
      const result = await this.send(signal, options =>
        this.client.request({ method: 'tools/call', params }, { ...options, onprogress, allowInputRequired: true }),
      );
      if (!statelessSdk().isInputRequiredResult(result)) return decodeCallResult(result);
      answers = await this.answer(result, { key, signal });
    }
    throw new McpError('refused', inBoth(`It asked more than ${MAX_ROUNDS} times.`, `它询问了超过 ${MAX_ROUNDS} 次。`));
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
    { inputRequests = {}, requestState }: InputRequiredResult,
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
