/** MCP with sessions (2025-11-25 and older), with the client 1.x of the official SDK. */
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { type CallOutcome, callTool, connectMcp, type McpDoorClient } from '../mcp_client';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';

const refusal = (code: string) => ({ _meta: { 'neta/error': { code } } });

export const MCP_DOOR: Door = {
  name: 'MCP, with sessions',
  guide: 'mcp-server.md',
  forms: {
    stream: 'steps',
    resume: 'whole',
    question: ['asked', 'text'],
    approval: 'asked',
    cancel: 'request',
    budget: 'structuredContent.reason: budget',
    error: '_meta["neta/error"].code',
  },
  ends: {
    completed: { status: 'completed' },
    budget: { status: 'incomplete', reason: 'budget' },
    cancelled: { message: expect.stringContaining('abort') },
  },
  errors: {
    failedRun: { isError: true, structuredContent: { status: 'failed', error: { code: 'model_refused' } } },
    unknownAgent: { code: -32602, data: { code: 'not_found' } },
    wrongKey: { code: 401 },
    quota: { isError: true, ...refusal('quota_exceeded') },
    otherTenant: { isError: true, ...refusal('not_found') },
  },
  connect: async caller => new McpSessionClient(caller),
};

/** Turns the result of a call into a turn; throws the result when it is an error. */
export function toTurn(message: string, result: CallOutcome): Turn {
  if (result.isError) throw result;
  const { runId, sessionId, status, reason } = result.structuredContent as Record<string, string>;
  return { message, text: result.content[0]?.text ?? '', id: runId ?? '', conversation: sessionId ?? '', end: { status, reason } };
}

/** Answers a form of the gateway. */
export function fillForm(message: string, { onQuestion, onApproval }: SendOptions): ElicitResult {
  if (/approval|allow/i.test(message) && onApproval)
    return { action: 'accept', content: { decision: onApproval(message) === 'allow' ? 'allow_once' : 'deny' } };
  return onQuestion ? { action: 'accept', content: { answer: onQuestion(message) } } : { action: 'cancel' };
}

class McpSessionClient implements DoorClient {
  private readonly open: McpDoorClient[] = [];
  private pending = new Map<string, Promise<Turn>>();

  constructor(private readonly caller: DoorCaller) {}

  async send(message: string, options: SendOptions = {}): Promise<Turn> {
    const { agent = 'default', conversation: sessionId, onStep, cancel, leave, onQuestion, onApproval } = options;
    const client = await connectMcp(this.caller.url, {
      secret: this.caller.secret,
      ...((onQuestion || onApproval) && { onElicitation: ({ message: asked }) => fillForm(asked, options) }),
      ...(leave && { reconnects: true, fetch: breaking(leave) }),
    });
    this.open.push(client);
    const args = { input: message, ...(sessionId !== undefined && { sessionId }) };
    const result = callTool(client, `ask_${agent}`, args, { onprogress: () => onStep?.(), ...(cancel && { signal: cancel }) });
    const turn = result.then(outcome => toTurn(message, outcome));
    if (!leave) return turn;
    this.pending.set(message, turn);
    const left = Promise.withResolvers<Turn>();
    leave.addEventListener('abort', () => left.resolve({ message, text: '', id: '', conversation: '' }));
    return Promise.race([turn, left.promise]);
  }

  /** The client of the SDK has come back by itself, to the same call. */
  comeBack({ message }: Turn): Promise<Turn> {
    return this.pending.get(message) ?? Promise.reject(new Error('there is no such call'));
  }

  attempts({ conversation }: Turn) {
    return [() => this.send('let me in', { conversation })];
  }

  async close(): Promise<void> {
    await Promise.all(this.open.map(client => client.close()));
  }
}

/** A fetch whose open answers break when the signal aborts; later requests are undisturbed. */
const breaking =
  (leave: AbortSignal): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (leave.aborted || init?.method !== 'POST' || !response.body) return response;
    const broken = new TransformStream<Uint8Array, Uint8Array>({
      start(controller) {
        leave.addEventListener('abort', () => controller.error(new TypeError('terminated')));
      },
    });
    return new Response(response.body.pipeThrough(broken), response);
  };
