/** The Agent Client Protocol: `neta acp` as a child process, with the official client. */
import type { ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { type ClientConnection, client, methods, ndJsonStream, PROTOCOL_VERSION, type SessionUpdate } from '@agentclientprotocol/sdk';
import { startNeta } from '../neta_program';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';

export const ACP_DOOR: Door = {
  name: 'ACP',
  guide: 'acp.md',
  forms: {
    stream: 'text',
    resume: 'state',
    question: ['asked', 'text'],
    approval: 'asked',
    cancel: 'request',
    budget: 'stopReason: max_turn_requests',
    error: 'error.data.code',
  },
  ends: { completed: 'end_turn', budget: 'max_turn_requests', cancelled: 'cancelled' },
  errors: {
    failedRun: { code: -32603, data: { code: 'model_refused' } },
    unknownAgent: { code: -32602 },
    wrongKey: { code: -32000, message: expect.stringContaining('NETA_API_KEY'), data: { code: 'unauthenticated' } },
    quota: { code: -32603, data: { code: 'quota_exceeded' } },
    otherTenant: { code: -32002, data: { code: 'not_found' } },
  },
  connect: async caller => new AcpDoorClient(caller),
};

const CWD = '/tmp';

/** An editor and its agent process. */
class Editor {
  readonly process: ChildProcess;
  readonly connection: ClientConnection;
  options: SendOptions = {};
  text = '';

  constructor({ url, secret }: DoorCaller) {
    this.process = startNeta(['acp'], { NETA_URL: url, NETA_API_KEY: secret });
    const { stdin, stdout } = this.process;
    if (!stdin || !stdout) throw new Error('the agent has no pipes');
    this.connection = client({ name: 'door suite' })
      .onNotification(methods.client.session.update, ({ params }) => this.show(params.update))
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        const decision = this.options.onApproval?.(JSON.stringify(params.toolCall)) ?? 'deny';
        return { outcome: { outcome: 'selected' as const, optionId: decision === 'allow' ? 'allow_once' : 'deny' } };
      })
      .onRequest(methods.client.elicitation.create, ({ params }) => ({
        action: 'accept' as const,
        content: { choice: this.options.onQuestion?.(params.message) ?? '' },
      }))
      .connect(ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>));
  }

  async initialize({ onQuestion }: SendOptions): Promise<void> {
    const clientCapabilities = onQuestion ? { elicitation: { form: {} } } : {};
    await this.connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities });
  }

  private show(update: SessionUpdate): void {
    if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') return;
    this.text += update.content.text;
    this.options.onText?.(this.text);
  }
}

class AcpDoorClient implements DoorClient {
  private readonly editors: Editor[] = [];

  constructor(private readonly caller: DoorCaller) {}

  async send(message: string, options: SendOptions = {}): Promise<Turn> {
    const { conversation, agent, cancel, leave } = options;
    const editor = this.latest(options) ?? (await this.open(options));
    editor.options = options;
    editor.text = '';
    const { request, notify } = requestsOf(editor);
    const sessionId = conversation ?? (await request(methods.agent.session.new, { cwd: CWD, mcpServers: [] })).sessionId;
    if (agent !== undefined) await request(methods.agent.session.setMode, { sessionId, modeId: agent });
    const turn: Turn = { message, text: '', id: sessionId, conversation: sessionId };
    cancel?.addEventListener('abort', () => void notify(methods.agent.session.cancel, { sessionId }));
    const left = Promise.withResolvers<Turn>();
    leave?.addEventListener('abort', () => {
      editor.process.kill('SIGKILL');
      left.resolve({ ...turn, text: editor.text });
    });
    const prompt = request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: message }] });
    const ended = prompt.then(({ stopReason }): Turn => ({ ...turn, text: editor.text, end: stopReason }));
    if (leave) ended.catch(() => {});
    return Promise.race([ended, left.promise]);
  }

  /** Another process loads the session, and shows what is stored. */
  async comeBack(left: Turn): Promise<Turn> {
    const editor = await this.open({});
    await requestsOf(editor).request(methods.agent.session.load, { sessionId: left.conversation, cwd: CWD, mcpServers: [] });
    return { ...left, text: editor.text };
  }

  attempts({ conversation: sessionId }: Turn) {
    const attempt = (method: typeof methods.agent.session.load | typeof methods.agent.session.resume) => async () =>
      requestsOf(await this.open({})).request(method, { sessionId, cwd: CWD, mcpServers: [] });
    return [attempt(methods.agent.session.load), attempt(methods.agent.session.resume)];
  }

  async close(): Promise<void> {
    for (const { process } of this.editors) process.kill();
  }

  /** The editor that goes on with a conversation. */
  private latest({ conversation }: SendOptions): Editor | undefined {
    return conversation === undefined ? undefined : this.editors.at(-1);
  }

  private async open(options: SendOptions): Promise<Editor> {
    const editor = new Editor(this.caller);
    this.editors.push(editor);
    await editor.initialize(options);
    return editor;
  }
}

const requestsOf = ({ connection: { agent } }: Editor) => ({
  request: agent.request.bind(agent) as typeof agent.request,
  notify: agent.notify.bind(agent) as typeof agent.notify,
});
