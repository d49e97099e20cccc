/** The server of the SDK for one request without a session. */
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  ListToolsResult,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Principal } from '../../port/principal';
import type { Locale } from '../../port/store/sessions';
import type { TraceContext } from '../../port/trace_context';
import { toRunCallResult } from './call_results';
import { CallerPrompts, type CallerPromptsDeps } from './caller_prompts';
import { CallerResources, type CallerResourcesDeps } from './caller_resources';
import { CallerTools, type CallerToolsDeps } from './caller_tools';
import { type ChosenToolDeps, callChosenTool } from './chosen_tool_call';
import { toInputRequired } from './input_requests';
import { asProtocolErrors } from './invalid_params';
import type { McpCaller } from './mcp_client';
import type { McpDoorService } from './mcp_door_service';
import { serveTasks, TASKS, takesTasks, toTaskResult } from './mcp_tasks';
import { INSTRUCTIONS } from './offered_tools';
import { type RefusedCallDeps, refuseCall } from './refused_calls';
import { ProgressReporter } from './run_progress';
import { StatelessCall, type StatelessCallDeps } from './stateless_call';
import { statelessSdk } from './stateless_sdk';

export interface StatelessServerDeps
  extends StatelessCallDeps,
    ChosenToolDeps,
    CallerToolsDeps,
    CallerPromptsDeps,
    CallerResourcesDeps,
    RefusedCallDeps {
  mcpDoor: McpDoorService;
}

/** One HTTP request of a client. */
export interface StatelessRequest {
  principal: Principal;
  locale: Locale;
  requestId: string;
  trace: TraceContext | undefined;
  /** Returns true once the client has closed the connection before the answer. */
  hasLeft: () => boolean;
}

interface ToolCall {
  name: string;
  arguments?: Record<string, unknown> | undefined;
}

const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

export function createStatelessServer(request: StatelessRequest, deps: StatelessServerDeps): Server {
  const { Server } = statelessSdk();
  const server = new Server(
    { name: 'neta-gateway', version: deps.serviceSettings.version },
    {
      capabilities: { tools: { listChanged: true }, prompts: {}, resources: {}, extensions: TASKS },
      instructions: INSTRUCTIONS[request.locale],
      // The gateway reads answers itself, so no schema is compiled here.
      jsonSchemaValidator: { getValidator: () => input => ({ valid: true, data: input as never, errorMessage: undefined }) },
    },
  );
  const tools = new CallerTools(request, deps);
  server.setRequestHandler('tools/list', () => ({ tools: tools.listTools() as ListToolsResult['tools'] }));
  server.setRequestHandler('tools/call', ({ params }, ctx) => callTool(params, ctx, { request, tools, deps }));
  serveTexts(server, request, deps);
  serveTasks(
    server,
    { requestId: request.requestId, callerOf: ctx => callerOf(request, ctx), hasTasks: ctx => takesTasks(abilitiesOf(ctx).extensions) },
    deps,
  );
  return server;
}

/** Answers the requests about prompts and resources. */
function serveTexts(server: Server, request: StatelessRequest, deps: StatelessServerDeps): void {
  const prompts = new CallerPrompts(request, deps);
  const resources = new CallerResources(request, deps);
  const answer = <T>(work: () => Promise<T>): Promise<T> => asProtocolErrors(request.requestId, work, deps.serviceSettings.onError);
  server.setRequestHandler('prompts/list', ({ params }) => answer(() => prompts.listPrompts(params?.cursor)));
  server.setRequestHandler('prompts/get', ({ params }) => answer(() => prompts.getPrompt(params.name, params.arguments)));
  server.setRequestHandler('resources/list', ({ params }) => answer(() => resources.listResources(params?.cursor)));
  server.setRequestHandler('resources/templates/list', () => resources.listTemplates());
  server.setRequestHandler('resources/read', ({ params }) => answer(() => resources.readResource(params.uri)));
}

/** Calls a tool. An error that a calling model can react to is a result; an unknown tool is an error of the protocol. */
async function callTool(
  { name, arguments: args = {} }: ToolCall,
  ctx: ServerContext,
  { request, tools, deps }: { request: StatelessRequest; tools: CallerTools; deps: StatelessServerDeps },
): Promise<CallToolResult | InputRequiredResult> {
  const { requestId, trace, locale, hasLeft } = request;
  const { signal, requestState, inputResponses = {}, _meta, notify } = ctx.mcpReq;
  const agent = tools.findAgent(name, requestId);
  const caller = callerOf(request, ctx);
  const progress = new ProgressReporter({ _meta, sendNotification: notify }, locale);
  try {
    if (agent === undefined) return await callChosenTool({ name, args }, caller, { signal, trace, deps });
    const asked = { agent, args, caller, origin: { trace, requestId } };
    const isTask = takesTasks(abilitiesOf(ctx).extensions);
    const call = new StatelessCall(asked, { signal, progress, isGivenUp: hasLeft, takesTasks: isTask }, deps);
    const state = requestState<string>();
    const outcome = await (state === undefined ? call.start() : call.goOn(state, inputResponses));
    if (outcome.kind === 'ended') return toRunCallResult(outcome.result, locale);
    return outcome.kind === 'running' ? toTaskResult(outcome.run) : toInputRequired(outcome, caller);
  } catch (thrown) {
    return refuseCall(thrown, caller, { requestId, isOver: signal.aborted, deps });
  } finally {
    progress.stop();
  }
}

const callerOf = ({ principal, locale }: StatelessRequest, ctx: ServerContext): McpCaller => {
  const { elicitation } = abilitiesOf(ctx);
  // An ability without details stands for forms.
  const canAsk = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  return { principal, locale, canAsk };
};

/** Returns the abilities that the request declares. */
function abilitiesOf({ mcpReq: { envelope = {} } }: ServerContext): ClientCapabilities {
  // The SDK has checked the envelope; its type has no keys.
  return (envelope as { [CAPABILITIES_KEY]?: ClientCapabilities })[CAPABILITIES_KEY] ?? {};
}
