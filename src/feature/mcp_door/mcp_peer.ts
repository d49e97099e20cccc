/** One session of an MCP client: the server and the transport of the SDK, and what the client may use. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Context } from '@midwayjs/koa';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { CallToolResult, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { traceOf } from '../../controller/http_request';
import { AppError } from '../../errors';
import type { TraceContext } from '../../port/trace_context';
import { AgentCall, type AgentCallDeps } from './agent_call';
import { toRunCallResult } from './call_results';
import { CallerPrompts, type CallerPromptsDeps } from './caller_prompts';
import { CallerResources, type CallerResourcesDeps } from './caller_resources';
import { CallerTools, type CallerToolsDeps } from './caller_tools';
import { type ChosenToolDeps, callChosenTool } from './chosen_tool_call';
import { asProtocolErrors } from './invalid_params';
import type { CallExtra, McpClient } from './mcp_client';
import type { McpDoorService } from './mcp_door_service';
import type { McpSessionPeer } from './mcp_sessions';
import { INSTRUCTIONS } from './offered_tools';
import { answersIn, storeAnswer } from './person_answers';
import { RecentEvents } from './recent_events';
import { type RefusedCallDeps, refuseCall } from './refused_calls';
import { ProgressReporter } from './run_progress';
import { serverSdk } from './server_sdk';
import { callIn, readEventId } from './streamed_call';

export interface McpPeerDeps
  extends AgentCallDeps,
    ChosenToolDeps,
    CallerToolsDeps,
    CallerPromptsDeps,
    CallerResourcesDeps,
    RefusedCallDeps {
  mcpDoor: McpDoorService;
}

/** No request goes there: the SDK wants an address. */
const OWN_URL = 'http://gateway/mcp';
const JSON_OR_EVENTS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export class McpPeer implements McpSessionPeer {
  private readonly server: Server;
  private readonly transport: StreamableHTTPServerTransport;
  private connecting: Promise<void> | undefined;
  /** Says who ended the session. */
  private ended: { isByClient: boolean } | undefined;
  private readonly tools: CallerTools;
  private readonly openForms = new Set<string>();
  private readonly recentEvents = new RecentEvents();

  /** `isOpen`: the client has opened the session at another gateway, or before a restart. */
  constructor(
    private readonly client: McpClient,
    private readonly deps: McpPeerDeps,
    private readonly isOpen: boolean,
  ) {
    this.transport = new (serverSdk().StreamableHTTPServerTransport)({
      sessionIdGenerator: () => client.id,
      enableJsonResponse: client.answersJson,
      eventStore: this.recentEvents,
    });
    this.tools = new CallerTools(client, deps);
    this.server = this.createServer();
  }

  /** Answers an HTTP request of the client. Resolves when the answer has been sent, or goes on as a stream. */
  async answerRequest(ctx: Context, body: unknown): Promise<void> {
    this.connecting ??= this.connect();
    await this.connecting;
    for (const [requestId, answer] of answersIn(body)) {
      this.openForms.delete(requestId);
      await storeAnswer(requestId, answer, this.client, this.deps);
    }
    for (const requestId of cancelledIn(body)) this.deps.mcpDoor.sessions.cancelElsewhere(this.client.id, requestId);
    const callId = this.deps.mcpDoor.newCallId();
    const auth = this.authOf(ctx, { callId });
    const lostEvent = ctx.method === 'GET' ? ctx.get('last-event-id') : '';
    if (lostEvent !== '' && (await this.recentEvents.getStreamIdForEventId(lostEvent)) === undefined)
      return this.resumeStream(ctx, lostEvent);
    const handle = () => this.transport.handleRequest(Object.assign(ctx.req, { auth }), ctx.res, body);
    const call = callIn(body, callId);
    await (call ? this.recentEvents.answerCall(call, handle) : handle());
  }

  /** The SDK hands this to the handlers. The secret stays with the guard. */
  private authOf(ctx: Context, extra: CallOrigin): AuthInfo {
    const { keyName, scopes } = this.client.principal;
    return {
      token: '',
      clientId: keyName,
      scopes: [...scopes],
      extra: { requestId: String(ctx.state.requestId), trace: traceOf(ctx), ...extra },
    };
  }

  /**
   * Goes on with a stream that another gateway began, or this one before a restart. The SDK answers the call anew, under the id of the client's request,
   * as if the client had sent it here; the handler follows the run of the call. A stream that answers no call begins anew.
   */
  private async resumeStream(ctx: Context, eventId: string): Promise<void> {
    const call = readEventId(eventId);
    const headers = new Headers({ ...JSON_OR_EVENTS, 'mcp-session-id': this.client.id });
    const version = ctx.get('mcp-protocol-version');
    // The SDK sends an event at once, to come back to, where the version has such events.
    if (version !== '') headers.set('mcp-protocol-version', version);
    const { callId = '', requestId: id, progressToken } = call ?? {};
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: '', _meta: { progressToken } } };
    const request = new Request(OWN_URL, call ? { method: 'POST', headers, body: JSON.stringify(message) } : { headers });
    const authInfo = this.authOf(ctx, { callId, isResumed: true });
    const handle = () => this.transport['_webStandardTransport'].handleRequest(request, { authInfo });
    const response = await (call ? this.recentEvents.answerCall(call, handle) : handle());
    ctx.res.writeHead(response.status, Object.fromEntries(response.headers)).flushHeaders();
    if (!call) this.announceTools();
    // A client that leaves ends the stream, and the call goes on.
    if (response.body) await pipeline(Readable.fromWeb(response.body as ReadableStream), ctx.res).catch(() => {});
  }

  announceTools(): void {
    if (this.connecting && this.tools.mayCallTools) this.server.sendToolListChanged().catch(() => {});
  }

  cancelRequest(requestId: string | number): void {
    this.transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }

  end(options: { isByClient: boolean }): void {
    this.ended = options;
    void this.server.close().catch(() => {});
  }

  /** The SDK learns that the session is open from `initialize` alone, which another gateway has answered. */
  private async connect(): Promise<void> {
    await this.server.connect(this.transport);
    if (!this.isOpen) return;
    const params = { protocolVersion: this.client.protocolVersion, capabilities: {}, clientInfo: { name: 'client', version: '' } };
    const request = new Request(OWN_URL, {
      method: 'POST',
      headers: JSON_OR_EVENTS,
      body: JSON.stringify({ jsonrpc: '2.0', id: 'initialize', method: 'initialize', params }),
    });
    await (await this.transport['_webStandardTransport'].handleRequest(request)).text();
  }

  private createServer(): Server {
    const { locale } = this.client;
    const { CallToolRequestSchema, ListToolsRequestSchema, Server } = serverSdk();
    const server = new Server(
      { name: 'neta-gateway', version: this.deps.serviceSettings.version },
      {
        capabilities: { tools: { listChanged: true }, prompts: {}, resources: {} },
        instructions: INSTRUCTIONS[locale],
        // The gateway reads answers itself, so no schema is compiled here.
        jsonSchemaValidator: { getValidator: () => input => ({ valid: true, data: input as never, errorMessage: undefined }) },
      },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: this.tools.listTools() }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => this.callTool(params, extra));
    this.serveTexts(server);
    return server;
  }

  /** Answers the requests about prompts and resources. */
  private serveTexts(server: Server): void {
    const sdk = serverSdk();
    const prompts = new CallerPrompts(this.client, this.deps);
    const resources = new CallerResources(this.client, this.deps);
    const { onError } = this.deps.serviceSettings;
    const answer = <T>(extra: CallExtra, work: () => Promise<T>): Promise<T> => asProtocolErrors(requestIdOf(extra), work, onError);
    server.setRequestHandler(sdk.ListPromptsRequestSchema, ({ params }, extra) => answer(extra, () => prompts.listPrompts(params?.cursor)));
    server.setRequestHandler(sdk.GetPromptRequestSchema, ({ params }, extra) =>
      answer(extra, () => prompts.getPrompt(params.name, params.arguments)),
    );
    server.setRequestHandler(sdk.ListResourcesRequestSchema, ({ params }, extra) =>
      answer(extra, () => resources.listResources(params?.cursor)),
    );
    server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => resources.listTemplates());
    server.setRequestHandler(sdk.ReadResourceRequestSchema, ({ params }, extra) => answer(extra, () => resources.readResource(params.uri)));
  }

  /** An error that a calling model can react to is a result; an unknown tool is an error of the protocol. */
  private async callTool(
    { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
    extra: CallExtra,
  ): Promise<CallToolResult> {
    if (originOf(extra).isResumed) return this.resumeCall(extra);
    const agent = this.tools.findAgent(name, requestIdOf(extra));
    const progress = new ProgressReporter(extra, this.client.locale);
    try {
      if (agent !== undefined)
        return toRunCallResult(await this.agentCall(agent, args, { extra, progress }).waitForResult(), this.client.locale);
      return await callChosenTool({ name, args }, this.client, { signal: extra.signal, trace: traceIn(extra), deps: this.deps });
    } catch (thrown) {
      return this.toErrorResult(thrown, extra);
    } finally {
      progress.stop();
    }
  }

  /** Resolves with the answer to a call that another gateway began. */
  private async resumeCall(extra: CallExtra): Promise<CallToolResult> {
    const progress = new ProgressReporter(extra, this.client.locale);
    try {
      const run = await this.deps.mcpDoor.findRunOfCall(this.client.principal.tenantId, originOf(extra).callId);
      if (run?.door !== 'mcp') throw callIsLost();
      return toRunCallResult(await this.agentCall(run.agent, {}, { extra, progress }).resume(run), this.client.locale);
    } catch (thrown) {
      return this.toErrorResult(thrown, extra);
    } finally {
      progress.stop();
    }
  }

  private agentCall(agent: string, args: Record<string, unknown>, { extra, progress }: { extra: CallExtra; progress: ProgressReporter }) {
    const call = {
      callId: originOf(extra).callId,
      agent,
      args,
      client: this.client,
      origin: { trace: traceIn(extra), requestId: requestIdOf(extra) },
      openForms: this.openForms,
      send: (message: JSONRPCMessage) => this.transport.send(message, { relatedRequestId: extra.requestId }),
      // When the gateway ended the session, the run goes on; its result can be read over REST.
      isGivenUp: () => this.ended?.isByClient ?? true,
    };
    return new AgentCall(call, { extra, progress }, this.deps);
  }

  private toErrorResult(thrown: unknown, extra: CallExtra): CallToolResult {
    return refuseCall(thrown, this.client, { requestId: requestIdOf(extra), isOver: extra.signal.aborted, deps: this.deps });
  }
}

/** Returns the ids of the requests that a client cancels. */
function cancelledIn(body: unknown): (string | number)[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap(message => {
    const { success, data } = serverSdk().CancelledNotificationSchema.safeParse(message);
    return success && data.params.requestId !== undefined ? [data.params.requestId] : [];
  });
}

/** The fields that `authOf` adds for the handler of a call. */
interface CallOrigin {
  callId: string;
  /** The client comes back for the answer to a call that it has made elsewhere. */
  isResumed?: boolean;
}

const callIsLost = (): AppError =>
  new AppError('not_found', {
    message:
      'The answer to this call was at another gateway, or at this one before it restarted. The call may have done its work; look before you call again.',
    messageZh: '此调用的回答在另一个网关上，或在本网关重启之前。调用可能已经执行；再次调用前请先查看。',
  });

const originOf = ({ authInfo }: CallExtra): CallOrigin => (authInfo?.extra ?? { callId: '' }) as unknown as CallOrigin;
/** `authOf` has put both values there. */
const traceIn = ({ authInfo }: CallExtra): TraceContext | undefined => authInfo?.extra?.['trace'] as TraceContext | undefined;
const requestIdOf = ({ authInfo }: CallExtra): string => String(authInfo?.extra?.['requestId'] ?? '');
