/** The official client of the Agent Client Protocol talks to `neta acp`, a child process, which reaches a real gateway. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type ClientCapabilities,
  type ClientConnection,
  type ContentBlock,
  type CreateElicitationResponse,
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { type AgentBench, startBench } from '../support/agent_bench';
import { freePort } from '../support/free_port';
import { startNeta } from '../support/neta_program';
import { until } from '../support/until';

const RULES = `rules:
  - { tool: write_file, pattern: 'guarded', decision: ask }
`;
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let bench: AgentBench;
let config: string;
const editors: OpenEditor[] = [];

/** An editor with its agent process, and everything that it was told. */
class OpenEditor {
  readonly updates: SessionUpdate[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  stderr = '';
  choice: string | undefined = 'allow_once';
  form: CreateElicitationResponse = { action: 'accept', content: { choice: 'green' } };
  readonly connection: ClientConnection;

  constructor(readonly process: ChildProcess) {
    process.stderr?.on('data', piece => {
      this.stderr += piece;
    });
    const { stdin, stdout } = process;
    if (!stdin || !stdout) throw new Error('the agent has no pipes');
    this.connection = client({ name: 'test editor' })
      .onNotification(methods.client.session.update, ({ params }) => void this.updates.push(params.update))
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) => this.decide(params, signal))
      .onRequest(methods.client.elicitation.create, () => this.form)
      .connect(ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>));
  }

  private async decide(request: RequestPermissionRequest, signal: AbortSignal) {
    this.asked.push(request);
    if (this.choice !== undefined) return { outcome: { outcome: 'selected' as const, optionId: this.choice } };
    await once(signal, 'abort');
    return { outcome: { outcome: 'cancelled' as const } };
  }

  initialize(clientCapabilities: ClientCapabilities = {}) {
    return this.connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities });
  }

  newSession(cwd = bench.gateway.workspace) {
    return this.connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  }

  prompt(sessionId: string, text: string) {
    return this.connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
  }

  textOf(type: 'agent_message_chunk' | 'user_message_chunk' | 'agent_thought_chunk'): string {
    return this.updates
      .map(update => (update.sessionUpdate === type && update.content.type === 'text' ? update.content.text : ''))
      .join('');
  }
}

function open(env: Record<string, string> = {}, args: string[] = []): OpenEditor {
  const editor = new OpenEditor(startNeta(['acp', ...args], { NETA_URL: bench.gateway.url, ...env }));
  editors.push(editor);
  return editor;
}

async function ready(capabilities: ClientCapabilities = {}) {
  const editor = open();
  await editor.initialize(capabilities);
  const { sessionId } = await editor.newSession();
  return { editor, sessionId };
}

beforeAll(async () => {
  config = await mkdtemp(join(tmpdir(), 'neta-acp-'));
  await cp(join(__dirname, '../../config/agents'), join(config, 'agents'), { recursive: true });
  await writeFile(join(config, 'approvals.yaml'), RULES);
  bench = await startBench({ files: { 'a.txt': 'alpha\nbeta\n' }, env: { NETA_CONFIG_DIR: config, NETA_MODEL_IMAGES: '1' } });
  const { model } = bench;
  const told = ({ toolResults }: { toolResults: string[] }) => `Told: ${toolResults.at(-1)}`;
  model.onTurn('think', { text: 'thought through', reasoning: 'secret thoughts' });
  model.onTurn(
    'change beta',
    { toolCalls: [{ name: 'patch', arguments: { path: 'a.txt', old_string: 'beta', new_string: 'gamma' } }] },
    'Changed.',
  );
  model.onTurn('make a file', { toolCalls: [{ name: 'write_file', arguments: { path: 'new.txt', content: 'fresh\n' } }] }, 'Made.');
  model.onTurn(
    'plan it',
    { toolCalls: [{ name: 'todo', arguments: { todos: [{ id: '1', content: 'first step', status: 'in_progress' }] } }] },
    'Planned.',
  );
  model.onTurn(/guarded/, { toolCalls: [{ name: 'write_file', arguments: { path: 'guarded.txt', content: 'x\n' } }] }, told);
  model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'green'] } }] }, told);
  model.onTurn('The images of my answer', 'Seen.');
  model.onTurn('never ends', { text: 'on and on', chunkSize: 2, pauseAfter: 1 });
  model.onTurn(/look at/, ({ body }) => `Seen: ${JSON.stringify(body.messages.at(-1)?.content).includes('image_url')}`);
  model.onTurn(/embedded/, ({ userText }) => `Read: ${userText}`);
});

afterAll(async () => {
  for (const { process } of editors) process.kill();
  await bench?.stop();
  await rm(config, { recursive: true, force: true });
});

it('tells what it can, and offers agents as modes and models as a choice', async () => {
  const editor = open();
  expect(await editor.initialize()).toMatchObject({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
    agentInfo: { name: 'neta-gateway' },
    authMethods: [{ id: 'api-key' }],
  });
  const { modes, configOptions } = await editor.newSession();
  expect(modes?.availableModes.map(({ id }) => id)).toContain(modes?.currentModeId);
  expect(configOptions).toMatchObject([{ type: 'select', category: 'model' }]);
});

it('streams thoughts and text, and ends the turn', async () => {
  const { editor, sessionId } = await ready();
  expect(await editor.prompt(sessionId, 'think')).toEqual({ stopReason: 'end_turn' });
  expect([editor.textOf('agent_thought_chunk'), editor.textOf('agent_message_chunk')]).toEqual(['secret thoughts', 'thought through']);
  expect(editor.stderr).toBe('');
});

it('shows a patch as a diff of an absolute path, and a new file without an old text', async () => {
  const { editor, sessionId } = await ready();
  await editor.prompt(sessionId, 'change beta');
  const path = join(bench.gateway.workspace, 'a.txt');
  expect(editor.updates).toContainEqual(
    expect.objectContaining({ sessionUpdate: 'tool_call', kind: 'edit', status: 'in_progress', locations: [{ path }] }),
  );
  expect(editor.updates).toContainEqual(
    expect.objectContaining({
      sessionUpdate: 'tool_call_update',
      status: 'completed',
      content: [{ type: 'diff', path, oldText: 'alpha\nbeta', newText: 'alpha\ngamma' }],
    }),
  );
  await editor.prompt(sessionId, 'make a file');
  const made = { type: 'diff', path: join(bench.gateway.workspace, 'new.txt'), oldText: null, newText: 'fresh' };
  expect(editor.updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'tool_call_update', content: [made] }));
});

it('shows the plan', async () => {
  const { editor, sessionId } = await ready();
  await editor.prompt(sessionId, 'plan it');
  const entries = [{ content: 'first step', status: 'in_progress', priority: 'medium' }];
  expect(editor.updates).toContainEqual({ sessionUpdate: 'plan', entries });
});

describe('a call that needs approval', () => {
  it('runs when the person allows it, who sees its diff', async () => {
    const { editor, sessionId } = await ready();
    await editor.prompt(sessionId, 'guarded, please');
    const [request] = editor.asked;
    expect(request?.options.map(({ kind }) => kind)).toEqual(['allow_once', 'allow_always', 'reject_once']);
    expect(request?.toolCall).toMatchObject({ kind: 'edit', content: expect.arrayContaining([expect.objectContaining({ type: 'diff' })]) });
    expect(editor.textOf('agent_message_chunk')).toContain('guarded.txt');
    expect(editor.updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'completed' }));
  });

  it('does not run when the person rejects it', async () => {
    const { editor, sessionId } = await ready();
    editor.choice = 'deny';
    await editor.prompt(sessionId, 'guarded, no');
    expect(editor.asked).toHaveLength(1);
    expect(editor.updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed' }));
  });

  it('is asked about once in a session that allows it for the session', async () => {
    const { editor, sessionId } = await ready();
    editor.choice = 'allow_session';
    await editor.prompt(sessionId, 'guarded, first');
    await editor.prompt(sessionId, 'guarded, second');
    expect(editor.asked).toHaveLength(1);
  });

  it('takes the question back when the prompt is cancelled', async () => {
    const { editor, sessionId } = await ready();
    editor.choice = undefined;
    const prompt = editor.prompt(sessionId, 'guarded, later');
    await until(() => editor.asked.length === 1);
    await editor.connection.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompt).toEqual({ stopReason: 'cancelled' });
  });
});

describe('a question of the agent', () => {
  it('is a form in an editor that shows forms', async () => {
    const { editor, sessionId } = await ready({ elicitation: { form: {} } });
    expect(await editor.prompt(sessionId, 'ask me')).toEqual({ stopReason: 'end_turn' });
    expect(editor.textOf('agent_message_chunk')).toContain('green');
  });

  it('is text in other editors, and the next prompt answers it, also by number', async () => {
    const { editor, sessionId } = await ready();
    expect(await editor.prompt(sessionId, 'ask me')).toEqual({ stopReason: 'end_turn' });
    expect(editor.textOf('agent_message_chunk')).toBe('Which colour?\n1. red\n2. green');
    expect(await editor.prompt(sessionId, '2')).toEqual({ stopReason: 'end_turn' });
    expect(editor.textOf('agent_message_chunk')).toContain('Told: ');
    expect(editor.textOf('agent_message_chunk').split('Told: ')[1]).toContain('green');
  });
});

describe('an editor that opens a session again', () => {
  const load = (editor: OpenEditor, sessionId: string) =>
    editor.connection.agent.request(methods.agent.session.load, { sessionId, cwd: bench.gateway.workspace, mcpServers: [] });
  const leave = async ({ process }: OpenEditor) => {
    process.kill('SIGKILL');
    await once(process, 'exit');
  };

  it('is asked again for a permission, and shown the rest of the run', async () => {
    const { editor, sessionId } = await ready();
    editor.choice = undefined;
    editor.prompt(sessionId, 'guarded, by another').catch(() => {});
    await until(() => editor.asked.length === 1);
    await leave(editor);
    const other = open();
    await other.initialize();
    await load(other, sessionId);
    await until(() => other.textOf('agent_message_chunk') !== '');
    expect(other.asked).toHaveLength(1);
    expect(other.asked[0]?.toolCall).toMatchObject({ kind: 'edit' });
    expect(other.textOf('user_message_chunk')).toBe('guarded, by another');
    expect(other.textOf('agent_message_chunk')).toContain('guarded.txt');
    expect(other.updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call')).toHaveLength(1);
    expect(await other.prompt(sessionId, 'think')).toEqual({ stopReason: 'end_turn' });
  });

  it('is shown an answer from its beginning, also one that began before', async () => {
    const { editor, sessionId } = await ready();
    editor.prompt(sessionId, 'never ends').catch(() => {});
    await until(() => editor.textOf('agent_message_chunk') === 'on');
    await leave(editor);
    const other = open();
    await other.initialize();
    await load(other, sessionId);
    await until(() => other.textOf('agent_message_chunk') === 'on');
    expect(other.textOf('user_message_chunk')).toBe('never ends');
    await other.connection.agent.notify(methods.agent.session.cancel, { sessionId });
  });

  it('answers a question of the run', async () => {
    const { editor, sessionId } = await ready();
    await editor.prompt(sessionId, 'ask me');
    await leave(editor);
    const other = open();
    await other.initialize();
    await load(other, sessionId);
    await until(() => other.textOf('agent_message_chunk').includes('Which colour?'));
    await other.prompt(sessionId, '2');
    expect(other.textOf('agent_message_chunk')).toContain('green');
  });

  it('cancels a run that waits', async () => {
    const { editor, sessionId } = await ready();
    editor.choice = undefined;
    editor.prompt(sessionId, 'guarded, never').catch(() => {});
    await until(() => editor.asked.length === 1);
    await leave(editor);
    const other = open();
    other.choice = undefined;
    await other.initialize();
    await other.connection.agent.request(methods.agent.session.resume, { sessionId, cwd: bench.gateway.workspace, mcpServers: [] });
    await until(() => other.asked.length === 1);
    await other.connection.agent.notify(methods.agent.session.cancel, { sessionId });
    const runs = () => bench.rest.request<{ data: { status: string }[] }>('GET', `/runs?sessionId=${sessionId}`);
    await until(async () => (await runs()).body.data[0]?.status === 'cancelled');
  });
});

it('answers a question with images', async () => {
  const { editor, sessionId } = await ready();
  await editor.prompt(sessionId, 'ask me');
  const prompt: ContentBlock[] = [
    { type: 'text', text: 'red' },
    { type: 'image', mimeType: 'image/png', data: PNG },
  ];
  await editor.connection.agent.request(methods.agent.session.prompt, { sessionId, prompt });
  expect(JSON.stringify(bench.model.requests('The images of my answer.').at(-1)?.body.messages)).toContain(PNG);
});

it('serves several sessions of one editor at once, and cancels one of them', async () => {
  const { editor, sessionId: one } = await ready();
  const { sessionId: two } = await editor.newSession();
  const going = editor.prompt(one, 'never ends');
  await until(() => editor.textOf('agent_message_chunk') !== '');
  await expect(editor.prompt(one, 'think')).rejects.toMatchObject({ code: -32600 });
  expect(await editor.prompt(two, 'think')).toEqual({ stopReason: 'end_turn' });
  expect(editor.textOf('agent_message_chunk')).toContain('thought through');
  await editor.connection.agent.notify(methods.agent.session.cancel, { sessionId: one });
  expect(await going).toEqual({ stopReason: 'cancelled' });
});

it('takes images, linked and embedded resources, and refuses sound', async () => {
  const { editor, sessionId } = await ready();
  const send = (prompt: ContentBlock[]) => editor.connection.agent.request(methods.agent.session.prompt, { sessionId, prompt });
  await send([
    { type: 'text', text: 'look at this' },
    { type: 'image', mimeType: 'image/png', data: PNG },
  ]);
  expect(editor.textOf('agent_message_chunk')).toContain('Seen: true');
  await send([
    { type: 'text', text: 'embedded:' },
    { type: 'resource_link', name: 'a.txt', uri: 'file:///a.txt' },
    { type: 'resource', resource: { uri: 'file:///b.txt', text: 'body of b' } },
  ]);
  expect(editor.textOf('agent_message_chunk')).toMatch(/\[a\.txt\]\(file:\/\/\/a\.txt\)[\s\S]*body of b/);
  await expect(send([{ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }])).rejects.toMatchObject({ code: -32602 });
});

it('lists a session, shows its history to another process, and goes on in it', async () => {
  const { editor, sessionId } = await ready();
  await editor.prompt(sessionId, 'change beta again: think');
  const other = open();
  await other.initialize();
  const { sessions } = await other.connection.agent.request(methods.agent.session.list, { cwd: bench.gateway.workspace });
  expect(sessions.map(session => session.sessionId)).toContain(sessionId);
  await expect(other.prompt(sessionId, 'think')).rejects.toMatchObject({ code: -32002 });
  await other.connection.agent.request(methods.agent.session.load, { sessionId, cwd: bench.gateway.workspace, mcpServers: [] });
  expect(other.textOf('user_message_chunk')).toBe('change beta again: think');
  expect(other.textOf('agent_message_chunk')).toBe('thought through');
  expect(await other.prompt(sessionId, 'think')).toEqual({ stopReason: 'end_turn' });
  await other.connection.agent.request(methods.agent.session.delete, { sessionId });
  expect((await bench.rest.request('GET', `/sessions/${sessionId}`)).status).toBe(404);
});

it('says on stderr and in the error that no gateway runs', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const editor = open({ NETA_URL: url });
  await expect(editor.initialize()).rejects.toMatchObject({ code: -32603, message: expect.stringContaining(url) });
  await until(() => editor.stderr.includes('Start the gateway'));
});

it('ends with its editor', async () => {
  const { editor } = await ready();
  editor.process.stdin?.end();
  await once(editor.process, 'close');
  expect(editor.process.exitCode).toBe(0);
});
