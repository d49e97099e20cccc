/** The MCP door through the client of the SDK: agents as tools, progress, cancelling, questions and approvals as elicitation. */
import type { ElicitResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import { type CallOutcome, callTool, connectMcp, type McpDoorClient, type McpDoorClientOptions } from '../support/mcp_client';
import { until } from '../support/until';

let bench: ApprovalBench;
const clients: McpDoorClient[] = [];

beforeAll(async () => {
  bench = await startApprovalBench({ env: { NETA_MCP_TOOLS: 'calculator,file_*' } });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()));
});
afterAll(() => bench?.stop());

async function connect(options: McpDoorClientOptions = {}): Promise<McpDoorClient> {
  const client = await connectMcp(bench.gateway.url, options);
  clients.push(client);
  return client;
}

const textOf = ({ content }: CallOutcome): string => content[0]?.text ?? '';
const ask = (client: McpDoorClient, input: string, more: Record<string, unknown> = {}) =>
  callTool(client, 'ask_default', { input, ...more });

describe('agents as tools', () => {
  it('lists one tool for each agent, with schemas and honest annotations', async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === 'ask_default');
    expect(tool?.inputSchema).toMatchObject({
      required: ['input'],
      properties: { input: { type: 'string' }, sessionId: {}, model: {} },
    });
    expect(tool?.outputSchema).toMatchObject({ type: 'object', properties: { runId: {}, status: {}, text: {} } });
    expect(tool?.annotations).toEqual({ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true });
    expect(JSON.stringify(tools)).not.toContain('x-description');
    expect(client.getServerVersion()).toMatchObject({ name: 'neta-gateway' });
  });

  it('speaks Chinese to a client that prefers it', async () => {
    const { client } = await connect({ headers: { 'accept-language': 'zh-CN' } });
    const { tools } = await client.listTools();
    expect(tools[0]?.description).toContain('把任务交给智能体');
    expect(JSON.stringify(tools[0]?.inputSchema)).toContain('要继续的会话');
  });

  it('answers with the text, the run result, and the session to continue', async () => {
    bench.model.onTurn('greet me', { text: 'Good morning.', reasoning: 'secret thoughts' });
    bench.model.onTurn('and again', 'Good evening.');
    const client = await connect();
    const first = await ask(client, 'greet me');
    expect(textOf(first)).toBe('Good morning.');
    expect(JSON.stringify(first)).not.toContain('secret thoughts');
    const { sessionId, runId, status } = first.structuredContent as Record<string, string>;
    expect(status).toBe('completed');
    expect(first.content[1]?.text).toContain(sessionId);
    const second = await ask(client, 'and again', { sessionId });
    expect(second.structuredContent).toMatchObject({ sessionId, text: 'Good evening.' });
    const { body } = await bench.rest.request<{ door: string; keyName: string }>('GET', `/runs/${runId}`);
    expect(body).toMatchObject({ door: 'mcp', keyName: 'local' });
  });

  it('reports steps as progress that grows, and names the run first', async () => {
    bench.model.onTurn('look around', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'Nothing here.');
    const client = await connect();
    const steps: Progress[] = [];
    const result = await callTool(client, 'ask_default', { input: 'look around' }, { onprogress: step => steps.push(step) });
    expect(textOf(result)).toBe('Nothing here.');
    expect(steps.map(({ progress }) => progress)).toEqual(steps.map((_step, index) => index + 1));
    const { runId } = result.structuredContent as { runId: string };
    expect(JSON.stringify(steps[0])).toContain(runId);
    expect(steps.map(({ message }) => message)).toEqual([
      'The run is accepted',
      expect.stringMatching(/^Started: /),
      expect.stringMatching(/^Done: /),
    ]);
  });

  it('cancels the run when the client cancels its request', async () => {
    bench.model.onTurn('take your time', { text: 'never seen', pauseAfter: 0 });
    const client = await connect();
    const stop = new AbortController();
    const calling = callTool(client, 'ask_default', { input: 'take your time' }, { signal: stop.signal });
    const request = await bench.model.waitFor('take your time');
    stop.abort('changed my mind');
    await expect(calling).rejects.toThrow('changed my mind');
    expect(await request.ended).toBe('hung_up');
    const runs = await runsOf('take your time');
    expect(runs.map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('cancels the run when the client ends its session, and forgets the session', async () => {
    bench.model.onTurn('never mind', { text: 'never seen', pauseAfter: 0 });
    const { client, transport } = await connect();
    const calling = client.callTool({ name: 'ask_default', arguments: { input: 'never mind' } }).catch(() => 'lost');
    const request = await bench.model.waitFor('never mind');
    const id = transport.sessionId ?? '';
    await transport.terminateSession();
    expect(await request.ended).toBe('hung_up');
    const { status, body } = await post({ jsonrpc: '2.0', id: 9, method: 'ping' }, { 'mcp-session-id': id });
    expect([status, body.error.code, body.error.data.code]).toEqual([404, -32001, 'not_found']);
    await client.close();
    expect(await calling).toBe('lost');
  });
});

describe('bad calls', () => {
  it.each([
    [{}, '/input'],
    [{ input: ' ' }, '/input'],
    [{ input: 'hi', sessionId: 'no such/id' }, '/sessionId'],
    [{ input: 'hi', agent: 'default' }, '/agent'],
    [{ input: 'hi', sessionId: 'ses_unknown' }, '/sessionId'],
  ])('an argument that cannot be used is an error result that names it: %j', async (args, param) => {
    const result = await callTool(await connect(), 'ask_default', args);
    expect(result).toMatchObject({ isError: true, _meta: { 'neta/error': { param } } });
    expect(textOf(result)).toMatch(/^(invalid_request|not_found): /);
  });

  it.each(['ask_nobody', 'bash', 'nonsense'])('a tool that is not offered is an error of the protocol: %s', async name => {
    const { client } = await connect();
    await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32602, data: { code: 'not_found' } });
  });

  it('a busy session is an error result with its code', async () => {
    bench.model.onTurn('work for long', { text: 'done', pauseAfter: 0 });
    const client = await connect();
    const { body } = await bench.rest.request<{ sessionId: string }>(
      'POST',
      '/runs',
      { input: 'work for long' },
      { prefer: 'respond-async' },
    );
    const result = await ask(client, 'me too', { sessionId: body.sessionId });
    expect(result).toMatchObject({ isError: true, _meta: { 'neta/error': { code: 'session_busy', retryable: true } } });
    bench.model.resume();
  });

  it('a run is refused while an operator has paused new runs, and operators see the refusal', async () => {
    await bench.rest.request('POST', '/ops/accepting', { accepting: false, reason: 'maintenance' });
    try {
      const result = await ask(await connect(), 'come in');
      expect(result).toMatchObject({ isError: true, _meta: { 'neta/error': { code: 'not_accepting', retryable: true } } });
      expect(textOf(result)).toContain('maintenance');
    } finally {
      await bench.rest.request('POST', '/ops/accepting', { accepting: true });
    }
    const { body } = await bench.rest.request<{ refusals: { code: string }[] }>('GET', '/ops/limits');
    expect(body.refusals[0]).toMatchObject({ code: 'not_accepting', keyName: 'local' });
    expect(await runsOf('come in')).toEqual([]);
  });

  it('a run that fails is an error result with its code', async () => {
    bench.model.onTurn('break down', { error: { status: 400, message: 'no' } });
    const result = await ask(await connect(), 'break down');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^model_refused: /);
    expect(result.structuredContent).toMatchObject({ status: 'failed' });
  });
});

/** Resolves with the runs of an input, once they have ended. */
async function runsOf(input: string): Promise<{ id: string; status: string }[]> {
  const look = async () => {
    const { body } = await bench.rest.request<{ data: { runId: string; input: string; status: string }[] }>('GET', '/runs?limit=50');
    return body.data.filter(run => run.input === input).map(({ runId: id, status }) => ({ id, status }));
  };
  return until(look, runs => runs.every(({ status }) => !['running', 'waiting', 'queued'].includes(status)));
}

interface JsonRpcBody {
  result?: Record<string, unknown>;
  error: { code: number; message: string; data: { code: string } };
}

async function post(message: unknown, headers: Record<string, string> = {}) {
  const accept = 'application/json, text/event-stream';
  const { status, headers: answered, body } = await bench.rest.request<JsonRpcBody>('POST', '//mcp', message, { accept, ...headers });
  return { status, headers: answered, body };
}

const accepted = (content: Record<string, string>): ElicitResult => ({ action: 'accept', content });

describe('questions of the agent', () => {
  const question = { name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } };

  it('a question is put to the person of the client, and the answer reaches the agent', async () => {
    bench.model.onTurn('paint it', { toolCalls: [question] }, ({ toolResults }) => `told: ${toolResults.at(-1)}`);
    const client = await connect({ onElicitation: () => accepted({ answer: 'blue' }) });
    const result = await ask(client, 'paint it');
    expect(client.asked).toEqual([
      {
        message: 'Which colour?',
        requestedSchema: {
          type: 'object',
          properties: { answer: { type: 'string', title: 'Answer', enum: ['red', 'blue'] } },
          required: ['answer'],
        },
      },
    ]);
    expect(textOf(result)).toContain('The person answered:\nblue');
  });

  it.each([
    ['declines', { action: 'decline' } as const],
    ['closes the form', { action: 'cancel' } as const],
    ['sends no answer', { action: 'accept', content: {} } as const],
  ])('a person who %s lets the agent decide', async (how, answer) => {
    const input = `paint when one ${how}`;
    bench.model.onTurn(input, { toolCalls: [question] }, ({ toolResults }) => `told: ${toolResults.at(-1)}`);
    const client = await connect({ onElicitation: () => answer });
    const result = await ask(client, input);
    expect(textOf(result)).toContain('Decide yourself');
    expect(result.structuredContent).toMatchObject({ status: 'completed' });
  });

  it('an answer from elsewhere takes the question back from the client', async () => {
    bench.model.onTurn('paint elsewhere', { toolCalls: [question] }, ({ toolResults }) => `told: ${toolResults.at(-1)}`);
    const withdrawn = Promise.withResolvers<void>();
    const client = await connect({
      onElicitation: async (_params, signal) => {
        signal.addEventListener('abort', () => withdrawn.resolve());
        const { body } = await bench.rest.request<{ data: { requestId: string }[] }>('GET', '/clarifications?status=pending');
        await bench.rest.request('POST', `/clarifications/${body.data[0]?.requestId}`, { answer: 'green' });
        await withdrawn.promise;
        return accepted({ answer: 'red' });
      },
    });
    expect(textOf(await ask(client, 'paint elsewhere'))).toContain('green');
    await withdrawn.promise;
  });

  it('without elicitation the question is the answer, and the next call answers it', async () => {
    bench.model.onTurn('paint by text', { toolCalls: [question] });
    bench.model.onTurn('blue then', 'Painted blue.');
    const client = await connect();
    const asked = await ask(client, 'paint by text');
    expect(textOf(asked)).toContain('Which colour?');
    const { sessionId, clarification } = asked.structuredContent as { sessionId: string; clarification: object };
    expect(clarification).toMatchObject({ question: 'Which colour?', choices: ['red', 'blue'] });
    expect(textOf(await ask(client, 'blue then', { sessionId }))).toBe('Painted blue.');
  });

  it.each([
    ['allow_once', 1],
    ['deny', 0],
  ])('an approval is asked for as a form with the arguments: %s', async (decision, tally) => {
    const client = await connect({ onElicitation: () => accepted({ decision }) });
    const result = await ask(client, `tally ${decision} now`);
    expect(client.asked[0]?.message).toContain(`echo ${decision} >> tally.txt`);
    expect(await bench.tallyOf(decision)).toBe(tally);
    expect(result.structuredContent).toMatchObject({ status: 'completed', toolCalls: [{ name: 'bash', ok: tally === 1 }] });
  });

  it('an approval whose arguments do not fit a form is decided elsewhere', async () => {
    const long = `# ${'x'.repeat(5_000)}\necho elsewhere >> tally.txt`;
    bench.model.onTurn('a long command', { toolCalls: [{ name: 'bash', arguments: { command: long } }] }, 'It ran.');
    const closed = Promise.withResolvers<void>();
    const client = await connect({
      onElicitation: () => {
        closed.resolve();
        return { action: 'cancel' };
      },
    });
    const result = ask(client, 'a long command');
    await closed.promise;
    expect(client.asked[0]?.message).toContain('cannot be allowed here');
    const { body } = await bench.rest.request<{ data: { requestId: string; args: object }[] }>('GET', '/approvals?status=pending');
    const [open] = body.data;
    expect(open?.args).toEqual({ command: long });
    await bench.rest.request('POST', `/approvals/${open?.requestId}`, { decision: 'allow_once' });
    expect([textOf(await result), await bench.tallyOf('elsewhere')]).toEqual(['It ran.', 1]);
  });

  it('a person who closes an approval has denied it', async () => {
    const client = await connect({ onElicitation: () => ({ action: 'cancel' }) });
    await ask(client, 'tally closed now');
    expect([client.asked.length, await bench.tallyOf('closed')]).toEqual([1, 0]);
  });
});

describe('chosen tools', () => {
  it('are listed with annotations from their effect, and called directly', async () => {
    const client = await connect();
    const { tools } = await client.client.listTools();
    const calculator = tools.find(({ name }) => name === 'calculator');
    expect(calculator?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['file_read', 'file_write']));
    expect(tools.map(({ name }) => name)).not.toContain('bash');
    const result = await callTool(client, 'calculator', { expression: '6 * 7' });
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toContain('42');
    const { body } = await bench.rest.request<{ data: { tool: string }[] }>('GET', '/tool-executions?tool=calculator');
    expect(body.data).toHaveLength(1);
  });

  it('are gone while an operator has switched them off, and clients hear of it', async () => {
    const client = await connect();
    const namesNow = async () => (await client.client.listTools()).tools.map(({ name }) => name);
    // The stream for such messages opens behind the first answer.
    expect(await namesNow()).toContain('calculator');
    await bench.rest.request('POST', '/ops/tools/calculator', { enabled: false, reason: 'leaks' });
    try {
      await client.toolsChanged;
      expect(await namesNow()).not.toContain('calculator');
      const refused = (text: string) => ({ code: -32602, message: expect.stringContaining(text) });
      const call = (caller: McpDoorClient) => callTool(caller, 'calculator', { expression: '1' });
      await expect(call(client)).rejects.toMatchObject(refused('An operator has switched this tool off: "leaks".'));
      const chinese = await connect({ headers: { 'accept-language': 'zh-CN' } });
      await expect(call(chinese)).rejects.toMatchObject(refused('运维人员已停用此工具，说明是：“leaks”。'));
      await expect(callTool(client, 'bash', { command: 'ls' })).rejects.toMatchObject(refused('Unknown tool: bash'));
    } finally {
      await bench.rest.request('POST', '/ops/tools/calculator', { enabled: true });
    }
    expect(textOf(await callTool(client, 'calculator', { expression: '6 * 7' }))).toContain('42');
  });

  it('refuse arguments that only an attacker sends', async () => {
    const client = await connect();
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const session = { 'mcp-session-id': client.transport.sessionId ?? '' };
    const text = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"calculator","arguments":{"expression":${deep}}}}`;
    const answer = await fetch(`${bench.gateway.url}/mcp`, { method: 'POST', headers: { ...HEADERS, ...session }, body: text });
    expect(await answer.text()).toContain('invalid_request: ');
  });

  it('fail as results that say what was wrong', async () => {
    const result = await callTool(await connect(), 'calculator', { formula: '1' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('expression');
  });
});

describe('the transport', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'curl', version: '1' } },
  };

  it('answers plain JSON to a client that prefers it', async () => {
    const accept = 'application/json, text/event-stream;q=0.1';
    const opened = await post(initialize, { accept });
    expect(opened.headers.get('content-type')).toContain('application/json');
    expect(opened.body.result).toMatchObject({ protocolVersion: '2025-06-18' });
    bench.model.onTurn('plain greeting', 'Hello.');
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'ask_default', arguments: { input: 'plain greeting' } } };
    const { body } = await post(call, { accept, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' });
    expect(body.result).toMatchObject({ content: [{ text: 'Hello.' }, {}] });
  });

  it('refuses a batch of more than 100 messages before any of them is counted or answered', async () => {
    const sent = { 'mcp-session-id': (await connect()).transport.sessionId ?? '' };
    const batch = Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const { status, body } = await post(batch, sent);
    expect([status, body.error.data.code, body.error.message]).toEqual([400, 'invalid_request', 'A batch has at most 100 messages.']);
  });

  it.each([
    ['an id', { id: 'i'.repeat(257) }, '/id'],
    ['a progress token', { id: 1, params: { _meta: { progressToken: 't'.repeat(257) } } }, '/params/_meta/progressToken'],
  ])('refuses %s that is too long to be repeated with each message', async (_name, fields, param) => {
    const { id } = await connect().then(({ transport }) => ({ id: transport.sessionId ?? '' }));
    const message = { jsonrpc: '2.0', method: 'tools/list', ...fields };
    const alone = await post(message, { 'mcp-session-id': id });
    expect([alone.status, alone.body.error.data]).toMatchObject([400, { code: 'invalid_request', param }]);
    const inBatch = await post([{ jsonrpc: '2.0', id: 2, method: 'ping' }, message], { 'mcp-session-id': id });
    expect([inBatch.status, inBatch.body.error.data]).toMatchObject([400, { param: `/1${param}` }]);
  });

  it('goes on with a session after a restart', async () => {
    const other = await startApprovalBench();
    try {
      const { client, close } = await connectMcp(other.gateway.url);
      await client.ping();
      await other.gateway.restart();
      await client.ping();
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ask_default');
      await close();
    } finally {
      await other.stop();
    }
  });

  it('offers its newest version to a client whose version it does not know', async () => {
    const accept = 'application/json, text/event-stream;q=0.1';
    const params = { ...initialize.params, protocolVersion: '1999-01-01' };
    expect((await post({ ...initialize, params }, { accept })).body.result).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  it.each([
    ['no session', { jsonrpc: '2.0', id: 1, method: 'ping' }, {}, 400],
    ['an unknown session', { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-session-id': 'unknown' }, 404],
    ['a foreign origin', initialize, { origin: 'https://elsewhere.example' }, 403],
    ['no JSON-RPC', { hello: 1 }, {}, 400],
    ['broken JSON', '{', {}, 400],
    ['a batch of 101 messages', Array.from({ length: 101 }, () => ({ jsonrpc: '2.0', id: 1, method: 'ping' })), {}, 400],
    ['an answer type that no stream has', initialize, { accept: 'application/json' }, 406],
  ])('refuses %s with a JSON-RPC error', async (_what, message, headers, expected) => {
    const { status, body } = await post(message, headers);
    expect([status, body]).toMatchObject([expected, { jsonrpc: '2.0', id: null, error: { code: expect.any(Number) } }]);
  });

  it('sends what a client missed when its stream breaks in the middle of a call', async () => {
    bench.model.onTurn('long story', { text: 'The end.', pauseAfter: 0 });
    const opened = await fetch(`${bench.gateway.url}/mcp`, { method: 'POST', headers: HEADERS, body: JSON.stringify(initialize) });
    await opened.text();
    const session = { ...HEADERS, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' };
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'ask_default', arguments: { input: 'long story' } } };
    const gone = new AbortController();
    const started = await fetch(`${bench.gateway.url}/mcp`, {
      method: 'POST',
      headers: session,
      body: JSON.stringify(call),
      signal: gone.signal,
    });
    const { value } = (await started.body?.getReader().read()) ?? {};
    const lastId = /^id: (.*)$/m.exec(Buffer.from(value ?? []).toString())?.[1] ?? '';
    expect(lastId).not.toBe('');
    await bench.model.waitFor('long story');
    gone.abort();
    bench.model.resume();
    await runsOf('long story');
    const resumed = await fetch(`${bench.gateway.url}/mcp`, {
      headers: { ...session, 'last-event-id': lastId },
      signal: AbortSignal.timeout(10_000),
    });
    const answer = await readUntil(resumed, 'The end.');
    expect(answer).toContain('"id":2');
  });
});

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

async function readUntil(response: Response, text: string): Promise<string> {
  let read = '';
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  while (reader && !read.includes(text)) {
    const { value, done } = await reader.read();
    if (done) break;
    read += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return read;
}
