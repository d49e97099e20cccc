/** Tasks of MCP 2026-07-28, over HTTP as the extension writes it: the client 2.x of the official SDK has no tasks. */
import { bearer } from '../key_bench';
import type { CallOutcome } from '../mcp_client';
import { until } from '../until';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';
import { fillForm, MCP_DOOR, toTurn } from './mcp';

export const MCP_TASKS_DOOR: Door = {
  ...MCP_DOOR,
  name: 'MCP 2026-07-28, tasks',
  guide: 'mcp-server.md',
  forms: { ...MCP_DOOR.forms, stream: 'state', resume: 'state', question: ['asked'] },
  ends: { ...MCP_DOOR.ends, cancelled: { status: 'cancelled' } },
  errors: {
    ...MCP_DOOR.errors,
    wrongKey: { data: { code: 'unauthenticated' } },
    otherTenant: { code: -32602, data: { code: 'not_found' } },
  },
  connect: async caller => new McpTaskClient(caller),
};

interface TaskState extends CallOutcome {
  resultType: 'complete' | 'task';
  taskId: string;
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  inputRequests?: Record<string, { params: { message: string } }>;
  result?: CallOutcome;
  error?: object;
}

class McpTaskClient implements DoorClient {
  private lastId = 0;

  constructor(private readonly caller: DoorCaller) {}

  async send(message: string, options: SendOptions = {}): Promise<Turn> {
    const { agent = 'default', conversation: sessionId, onStep, cancel, leave } = options;
    const args = { input: message, ...(sessionId !== undefined && { sessionId }) };
    const answer = await this.request('tools/call', { name: `ask_${agent}`, arguments: args });
    if (answer.resultType === 'complete') return toTurn(message, answer);
    const turn: Turn = { message, text: '', id: answer.taskId, conversation: '' };
    cancel?.addEventListener('abort', () => void this.request('tasks/cancel', { taskId: turn.id }));
    onStep?.();
    return leave?.aborted ? turn : this.follow(turn, options);
  }

  comeBack(turn: Turn): Promise<Turn> {
    return this.follow(turn, {});
  }

  attempts({ id: taskId }: Turn) {
    return ['tasks/get', 'tasks/cancel', 'tasks/update'].map(method => () => this.request(method, { taskId, inputResponses: {} }));
  }

  async close(): Promise<void> {}

  /** Asks for the state of the task until it has ended, and answers its questions. */
  private async follow(turn: Turn, options: SendOptions): Promise<Turn> {
    const isOver = (task: TaskState) => task.status !== 'working';
    const task = await until(() => this.request('tasks/get', { taskId: turn.id }), isOver);
    if (task.status === 'completed' && task.result) return toTurn(turn.message, task.result);
    if (task.status !== 'input_required') return { ...turn, end: { status: task.status } };
    const inputResponses = Object.fromEntries(
      Object.entries(task.inputRequests ?? {}).map(([key, { params }]) => [key, fillForm(params.message, options)]),
    );
    await this.request('tasks/update', { taskId: turn.id, inputResponses });
    return this.follow(turn, options);
  }

  /** Throws the error of the answer. */
  private async request(method: string, params: Record<string, unknown>): Promise<TaskState> {
    const name = params['name'] ?? params['taskId'];
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: {} },
    };
    const response = await fetch(`${this.caller.url}/mcp`, {
      method: 'POST',
      headers: {
        ...bearer(this.caller.secret),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': String(name),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++this.lastId, method, params: { ...params, _meta } }),
    });
    const text = await response.text();
    const { result, error } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as { result: TaskState; error?: object };
    if (error) throw error;
    return result;
  }
}
