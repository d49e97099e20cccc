/** MCP 2026-07-28, without sessions, with the client 2.x of the official SDK. */
import { connectStateless, type StatelessClient } from '../mcp_stateless_client';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';
import { fillForm, MCP_DOOR, toTurn } from './mcp';

export const MCP_STATELESS_DOOR: Door = {
  ...MCP_DOOR,
  name: 'MCP 2026-07-28',
  guide: 'mcp-server.md',
  forms: { ...MCP_DOOR.forms, resume: 'none', cancel: 'leaving' },
  errors: { ...MCP_DOOR.errors, wrongKey: { status: 401 } },
  connect: async caller => new McpStatelessClient(caller),
};

class McpStatelessClient implements DoorClient {
  private readonly open: StatelessClient[] = [];

  constructor(private readonly caller: DoorCaller) {}

  async send(message: string, options: SendOptions = {}): Promise<Turn> {
    const { agent = 'default', conversation: sessionId, onStep, onQuestion, onApproval } = options;
    const client = await connectStateless(this.caller.url, {
      secret: this.caller.secret,
      ...((onQuestion || onApproval) && { onElicitation: ({ message: asked }) => fillForm(asked, options) }),
    });
    this.open.push(client);
    // Without a session, a client that leaves closes the connection of its call.
    const signal = options.cancel ?? options.leave;
    const args = { input: message, ...(sessionId !== undefined && { sessionId }) };
    const called = client.call(`ask_${agent}`, args, { onprogress: () => onStep?.(), ...(signal && { signal }) });
    return toTurn(message, await called);
  }

  attempts({ conversation }: Turn) {
    return [() => this.send('let me in', { conversation })];
  }

  async close(): Promise<void> {
    await Promise.all(this.open.map(client => client.close()));
  }
}
