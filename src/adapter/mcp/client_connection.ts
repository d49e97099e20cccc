/** One connection to a server, over the client of the SDK. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, Progress } from '@modelcontextprotocol/sdk/types.js';
import type { McpCallOptions, McpCallResult, McpConnection, McpHandlers, McpResource, McpToolList, McpTransportKind } from '../../port/mcp';
import { McpError } from '../../port/mcp';
import { traceHeaders } from '../../port/traceparent';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { CallBindings } from './call_bindings';
import { isConnectionGone, toMcpError } from './client_errors';
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
import { followTask } from './follow_task';
import { mcpSdk } from './mcp_sdk';
import { MessageRate } from './message_limits';
import { CLIENT_INFO } from './stateless_request';

const END_SESSION_MS = 1_000;
const CANCEL_MS = 5_000;

export interface ClientOptions {
  kind: McpTransportKind;
  transport: Transport;
  handlers: McpHandlers;
  redact: (text: string) => string;
  /** File URL of the workspace. Absent: the server is told of no directory. */
  rootUri?: string;
  /** Says why the connection has ended, when the transport knows more than that. */
  closeReason: () => Bilingual;
}

type JsonObject = Record<string, unknown>;

export class ClientConnection implements McpConnection {
  readonly transport: McpTransportKind;
  private readonly client: Client;
  private readonly rate = new MessageRate();
  private readonly bindings: CallBindings;
  /** Names of the tools that run as tasks alone. */
  private asTasks: ReadonlySet<string> = new Set();
  private isEnded = false;
  private endReason: Bilingual | undefined;

  constructor(private readonly options: ClientOptions) {
    this.transport = options.kind;
    this.bindings = new CallBindings(options.kind);
    this.client = this.createClient();
  }

  /** Connects and shakes hands. Rejects with what the SDK throws. */
  async open(signal: AbortSignal): Promise<void> {
    const { transport } = this.options;
    // The client calls this before its own handler.
    transport.onmessage = message => this.readMessage(message);
    this.bindings.watchRequests(transport);
    // The SDK heeds a signal in requests only. A server over HTTP can also leave the stream or the first notification without an answer.
    await orAborted(
      this.bindings.outsideOfCalls(() => this.client.connect(transport, { timeout: NO_TIMEOUT })),
      signal,
    );
    this.client.onclose = () => this.end(this.options.closeReason());
    this.client.onerror = error => {
      if (this.transport !== 'sse') return;
      const words = this.options.redact(error.message).slice(0, 200);
      this.end(inBoth(`The connection broke: ${words}`, `连接中断：“${words}”。`));
    };
  }

  get server(): { name: string; version: string } {
    return serverNameOf(this.client.getServerVersion());
  }

  async listTools(signal: AbortSignal): Promise<McpToolList> {
    if (!this.client.getServerCapabilities()?.tools) return NO_TOOLS;
    const list = await readToolList(params => this.request('tools/list', params, { signal }));
    this.asTasks = new Set(list.tools.filter(({ needsTask }) => needsTask).map(({ name }) => name));
    return list;
  }

  async callTool(name: string, args: JsonObject, { signal, onProgress, key, trace }: McpCallOptions): Promise<McpCallResult> {
    const onprogress = ({ progress, total, message }: Progress) => onProgress({ progress, total, message });
    const task = this.asTasks.has(name) ? {} : undefined;
    const params = { name, arguments: args, task, _meta: trace && { ...traceHeaders(trace) } };
    const send = async () => {
      const result = await this.request('tools/call', params, { signal, onprogress });
      return task ? this.resultOf(result, signal) : result;
    };
    return decodeCallResult(await this.bindings.within(key, send));
  }

  /** Resolves with the result of a call that was answered with a task (2025-11-25). */
  private resultOf({ task }: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const send = (method: string, taskId: unknown, own = signal) => this.request(method, { taskId }, { signal: own });
    const requests = {
      read: (taskId: string) => send('tasks/get', taskId),
      // The server asks the person while it answers, also for a task that requires input.
      settle: ({ taskId }: JsonObject) => send('tasks/result', taskId),
      cancel: (taskId: string) => send('tasks/cancel', taskId, AbortSignal.timeout(CANCEL_MS)),
    };
    return followTask((task ?? {}) as JsonObject, requests, signal);
  }

  async readResource(uri: string, signal: AbortSignal): Promise<McpResource[]> {
    return decodeResources(await this.request('resources/read', { uri }, { signal }));
  }

  async ping(signal: AbortSignal): Promise<void> {
    await assureAnswer(this.request('ping', undefined, { signal }));
  }

  redact(text: string): string {
    return this.options.redact(text);
  }

  async close(): Promise<void> {
    const wasEnded = this.isEnded;
    this.isEnded = true;
    if (!wasEnded) await this.endSession();
    await this.client.close().catch(() => {});
    // The client forgets its transport when that closed by itself.
    await this.options.transport.close().catch(() => {});
  }

  /** Tells a server over HTTP that its session can be forgotten. A server that is away does not hold up the close. */
  private async endSession(): Promise<void> {
    const { transport } = this.options;
    if (!(transport instanceof mcpSdk().StreamableHTTPClientTransport)) return;
    await orAborted(transport.terminateSession(), AbortSignal.timeout(END_SESSION_MS)).catch(() => {});
  }

  private async request(
    method: string,
    params: JsonObject | undefined,
    options: { signal: AbortSignal; onprogress?: (progress: Progress) => void },
  ): Promise<JsonObject> {
    const { redact } = this.options;
    try {
      return await withOwnSignal(options.signal, signal =>
        this.client.request({ method, params }, mcpSdk().ResultSchema, { ...options, signal, timeout: NO_TIMEOUT }),
      );
    } catch (thrown) {
      const isClosed =
        thrown instanceof mcpSdk().McpError && thrown.code === mcpSdk().ErrorCode.ConnectionClosed && !options.signal.aborted;
      if (isClosed) throw new McpError('lost', this.endReason ?? this.options.closeReason(), { cause: thrown });
      const error = toMcpError(thrown, { signal: options.signal, redact });
      if (this.transport !== 'stdio' && error.kind !== 'aborted' && isConnectionGone(thrown)) this.end(error.text);
      throw error;
    }
  }

  private createClient(): Client {
    const { handlers, rootUri } = this.options;
    const { Client, ElicitRequestSchema, ListRootsRequestSchema, ToolListChangedNotificationSchema } = mcpSdk();
    const client = new Client(CLIENT_INFO, {
      // Not `sampling`: without that capability the client refuses requests for it.
      capabilities: { elicitation: { form: {} }, extensions: APP_SUPPORT, roots: rootUri === undefined ? undefined : {} },
      jsonSchemaValidator: NO_SCHEMA_CHECK,
    });
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => handlers.onToolsChange());
    if (rootUri !== undefined) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: rootUri, name: 'workspace' }] }));
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
      const schema = 'requestedSchema' in params ? (params.requestedSchema as JsonObject) : {};
      const call = this.bindings.current;
      return handlers.onElicitation({ message: params.message, schema, call }, signal);
    });
    return client;
  }

  private readMessage(message: JSONRPCMessage): void {
    const call = this.bindings.takeLateAnswer(message);
    if (call) this.options.handlers.onLateAnswer(call);
    if (this.rate.isExceeded(performance.now())) this.end(inBoth('It sends too many messages.', '它发送的消息过多。'));
  }

  /** Ends a connection that broke, or whose server breaks a limit. */
  private end(reason: Bilingual): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.endReason = reason;
    this.options.handlers.onClose(reason);
    void this.options.transport.close().catch(() => {});
  }
}

/** Rejects when the signal aborts. The work goes on then, and the caller ends the things that the work uses. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
