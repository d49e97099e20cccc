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
import { CallerTools, type CallerToolsDeps } from './caller_tools';
import { type ChosenToolDeps, callChosenTool } from './chosen_tool_call';
import { toInputRequired } from './input_requests';
import type { McpCaller } from './mcp_client';
import type { McpDoorService } from './mcp_door_service';
import { INSTRUCTIONS } from './offered_tools';
import { type RefusedCallDeps, refuseCall } from './refused_calls';
import { ProgressReporter } from './run_progress';
import { StatelessCall, type StatelessCallDeps } from './stateless_call';
import { statelessSdk } from './stateless_sdk';

export interface StatelessServerDeps extends StatelessCallDeps, ChosenToolDeps, CallerToolsDeps, RefusedCallDeps {
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
      capabilities: { tools: { listChanged: true } },
      instructions: INSTRUCTIONS[request.locale],
      // The gateway reads answers itself, so no schema is compiled here.
      jsonSchemaValidator: { getValidator: () => input => ({ valid: true, data: input as never, errorMessage: undefined }) },
    },
  );
  const tools = new CallerTools(request, deps);
  server.setRequestHandler('tools/list', () => ({ tools: tools.listTools() as ListToolsResult['tools'] }));
  server.setRequestHandler('tools/call', ({ params }, ctx) => callTool(params, ctx, { request, tools, deps }));
  return server;
}

/** Calls a tool. An error that a calling model can react to is a result; an unknown tool is an error of the protocol. */
async function callTool(
  { name, arguments: args = {} }: ToolCall,
  { mcpReq }: ServerContext,
  { request, tools, deps }: { request: StatelessRequest; tools: CallerTools; deps: StatelessServerDeps },
): Promise<CallToolResult | InputRequiredResult> {
  const { requestId, trace, locale, principal, hasLeft } = request;
  const { signal, requestState, inputResponses = {} } = mcpReq;
  const agent = tools.findAgent(name, requestId);
  const caller: McpCaller = { principal, locale, canAsk: canAsk(mcpReq.envelope) };
  const progress = new ProgressReporter({ _meta: mcpReq._meta, sendNotification: mcpReq.notify }, locale);
  try {
    if (agent === undefined) return await callChosenTool({ name, args }, caller, { signal, trace, deps });
    const asked = { agent, args, caller, origin: { trace, requestId } };
    const call = new StatelessCall(asked, { signal, progress, isGivenUp: hasLeft }, deps);
    const state = requestState<string>();
    const outcome = await (state === undefined ? call.start() : call.goOn(state, inputResponses));
    return outcome.kind === 'ended' ? toRunCallResult(outcome.result, locale) : toInputRequired(outcome, caller);
  } catch (thrown) {
    return refuseCall(thrown, caller, { requestId, isOver: signal.aborted, deps });
  } finally {
    progress.stop();
  }
}

/** An ability without details stands for forms. */
function canAsk(envelope: object = {}): boolean {
  // The SDK has checked the envelope; its type has no keys.
  const { [CAPABILITIES_KEY]: { elicitation } = {} } = envelope as { [CAPABILITIES_KEY]?: ClientCapabilities };
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
