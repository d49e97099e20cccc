/** Two tenants with keys of their own use one gateway: neither reaches anything of the other, on any door. */
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ChatClient } from '../support/chat_client';
import { createMcpConfig, type McpConfig, PUBLISHED, stdio } from '../support/mcp_servers';
import { whyNoSandbox } from '../support/missing_sandboxes';
import { createRestClient, type PageBody } from '../support/rest_client';
import { until } from '../support/until';

const ALL = 'chat+tools+approve+ops:read+ops:write+admin';
const SECRETS = {
  ann: 'the-secret-of-ann-0001',
  amy: 'the-secret-of-amy-0002',
  bob: 'the-secret-of-bob-0003',
  dee: 'the-secret-of-dee-0004',
};
const KEYS = [
  `ann:${SECRETS.ann}:acme:${ALL}`,
  `amy:${SECRETS.amy}:acme:${ALL}`,
  `bob:${SECRETS.bob}:globex:${ALL}`,
  `dee:${SECRETS.dee}:default:${ALL}`,
].join(',');
type Person = keyof typeof SECRETS;
type Row = Record<string, unknown>;

let bench: AgentBench;

const as = (person: Person, more: Record<string, string> = {}) => ({ authorization: `Bearer ${SECRETS[person]}`, ...more });
const request = <T = Row>(person: Person, method: string, path: string, body?: unknown) =>
  bench.rest.request<T>(method, path, body, as(person));
const connect = (person: Person): Promise<ChatClient> =>
  bench.connect({ token: SECRETS[person], capabilities: ['clarify@1', 'approval@1'] });
const folder = (tenantId: string) => join(bench.gateway.dataDir, 'tenants', tenantId, 'workspace');
const call = async (person: Person, toolName: string, parameters: Row) =>
  (await request(person, 'POST', '/tools/call', { toolName, parameters })).body;
const put = (person: Person, path: string, body: string) =>
  fetch(`${bench.gateway.url}/api/v1/files/${path}`, { method: 'PUT', headers: as(person), body });

beforeAll(async () => {
  bench = await startBench({ env: { NETA_API_KEYS: KEYS }, files: { 'of-default.txt': 'default\n' } });
  bench.model.onTurn('remember the harbour', 'The harbour is remembered.');
  bench.model.onTurn(
    'where are you',
    { toolCalls: [{ name: 'bash', arguments: { command: 'pwd; ls -a; cat ../../*/workspace/* 2>&1' } }] },
    last,
  );
  bench.model.onTurn(
    'ask me',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } }] },
    last,
  );
});
afterAll(() => bench?.stop());

const last = (made: { toolResults: string[] }) => `Seen: ${made.toolResults.at(-1)}`;

describe('files', () => {
  it('lie in a folder of each tenant, and in NETA_WORKSPACE for the default one', async () => {
    for (const [person, text] of [
      ['ann', 'of acme\n'],
      ['bob', 'of globex\n'],
      ['dee', 'of default\n'],
    ] as const) {
      expect(await call(person, 'write_file', { path: 'same.txt', content: text })).toMatchObject({ status: 'success' });
    }
    const places = [join(folder('acme'), 'same.txt'), join(folder('globex'), 'same.txt'), join(bench.gateway.workspace, 'same.txt')];
    expect(await Promise.all(places.map(place => readFile(place, 'utf8')))).toEqual(['of acme\n', 'of globex\n', 'of default\n']);
    const lists = await Promise.all((['ann', 'bob', 'dee'] as const).map(person => request<PageBody<Row>>(person, 'GET', '/files')));
    expect(lists.map(({ body }) => body.data.map(({ name }) => name))).toEqual([
      ['same.txt'],
      ['same.txt'],
      ['of-default.txt', 'same.txt'],
    ]);
  });

  it('of another tenant are reached by no path, neither by tools nor by /files', async () => {
    await put('ann', 'private.txt', 'a secret of acme\n');
    for (const path of [
      join(folder('acme'), 'private.txt'),
      '../../acme/workspace/private.txt',
      '../../../tenants/acme/workspace/private.txt',
    ]) {
      expect(await call('bob', 'read_file', { path })).toMatchObject({ status: 'error' });
      expect(await call('dee', 'search', { pattern: 'secret', path })).toMatchObject({ status: 'error' });
      const answer = await fetch(`${bench.gateway.url}/api/v1/files/${encodeURIComponent(path)}`, { headers: as('bob') });
      expect([answer.status, await answer.text()]).toEqual([400, expect.not.stringContaining('a secret')]);
    }
    expect(JSON.stringify(await call('bob', 'search', { pattern: 'secret' }))).not.toContain('private.txt');
  });

  it('are what a command of the agent sees, and the prompt names the folder', async () => {
    await put('ann', 'private.txt', 'a secret of acme\n');
    const { body } = await request<{ text: string; status: string }>('bob', 'POST', '/runs', { input: 'where are you' });
    // Without a sandbox the command needs approval, which a REST caller cannot be asked for.
    const seen = whyNoSandbox() === undefined ? `${folder('globex')}\n.\n..\n` : 'approval';
    expect(body.text).toContain(seen);
    expect(body.text).not.toContain('a secret of acme');
    const [prompt] = bench.model.requests().filter(made => made.userText.includes('where are you'));
    expect(String(prompt?.body.messages[0]?.content)).toContain(folder('globex'));
  });

  it('have versions and undo of their own', async () => {
    const { executionId } = (await (await put('ann', 'undo.txt', 'one\n')).json()) as { executionId: string };
    expect((await request('bob', 'POST', `/tool-executions/${executionId}/undo`)).status).toBe(404);
    expect((await request('amy', 'POST', `/tool-executions/${executionId}/undo`)).status).toBe(200);
    await expect(stat(join(folder('acme'), 'undo.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('an id of another tenant', () => {
  it('answers on every route exactly as an id that does not exist', async () => {
    const run = (await request<{ runId: string; sessionId: string }>('ann', 'POST', '/runs', { input: 'remember the harbour' })).body;
    const memory = (await request<Row>('ann', 'POST', '/memories', { text: 'The harbour opens at six' })).body;
    const job = (await request<Row>('ann', 'POST', '/jobs', { name: 'harbour', input: 'look', schedule: { everyMs: 3_600_000 } })).body;
    const execution = (await request<PageBody<Row>>('ann', 'GET', '/tool-executions')).body.data[0] ?? {};
    const document = '---\nname: mooring\ndescription: How to moor a boat. Use it in the harbour.\n---\n\nUse a bowline.\n';
    expect((await request('ann', 'PUT', '/skills/mooring', { content: document })).status).toBe(200);
    const routes: [method: string, path: string, id: unknown, missing: string, body?: unknown][] = [
      ['GET', '/runs/:id', run.runId, 'run_none'],
      ['GET', '/runs/:id/events', run.runId, 'run_none'],
      ['POST', '/runs/:id/cancel', run.runId, 'run_none'],
      ['POST', '/runs/:id/steer', run.runId, 'run_none', { text: 'faster' }],
      ['GET', '/sessions/:id', run.sessionId, 'ses_none'],
      ['PATCH', '/sessions/:id', run.sessionId, 'ses_none', { title: 'mine' }],
      ['DELETE', '/sessions/:id', run.sessionId, 'ses_none'],
      ['GET', '/sessions/:id/messages', run.sessionId, 'ses_none'],
      ['POST', '/sessions/:id/fork', run.sessionId, 'ses_none', {}],
      ['POST', '/runs', run.sessionId, 'ses_none', { input: 'go on', sessionId: ':id' }],
      ['GET', '/search?q=harbour&sessionId=:id', run.sessionId, 'ses_none'],
      ['GET', '/memories/:id', memory['id'], 'mem_none'],
      ['PATCH', '/memories/:id', memory['id'], 'mem_none', { text: 'mine' }],
      ['DELETE', '/memories/:id', memory['id'], 'mem_none'],
      ['GET', '/jobs/:id', job['id'], 'job_none'],
      ['PATCH', '/jobs/:id', job['id'], 'job_none', { name: 'mine' }],
      ['POST', '/jobs/:id/run', job['id'], 'job_none'],
      ['GET', '/jobs/:id/runs', job['id'], 'job_none'],
      ['DELETE', '/jobs/:id', job['id'], 'job_none'],
      ['GET', '/tool-executions/:id', execution['id'], 'exe_none'],
      ['GET', '/tool-executions/:id/result', execution['id'], 'exe_none'],
      ['GET', '/skills/:id', 'mooring', 'nothing'],
      ['GET', '/skills/:id/files/SKILL.md', 'mooring', 'nothing'],
      ['PATCH', '/skills/:id', 'mooring', 'nothing', { enabled: false }],
      ['DELETE', '/skills/:id', 'mooring', 'nothing'],
      ['GET', '/files/:id', 'private.txt', 'nothing.txt'],
    ];
    for (const [method, path, id, missing, body] of routes) {
      const ask = async (value: string) => {
        const sent = body === undefined ? undefined : JSON.parse(JSON.stringify(body).replace(':id', value));
        const answer = await request<{ error: { requestId: string } }>('bob', method, path.replace(':id', value), sent);
        const { requestId: _id, ...error } = answer.body.error;
        return { status: answer.status, error: JSON.parse(JSON.stringify(error).replaceAll(value, 'ID')) };
      };
      expect([method, path, await ask(String(id))]).toEqual([method, path, await ask(missing)]);
    }
    // Nothing of it happened to the owner.
    expect((await request('ann', 'GET', `/sessions/${run.sessionId}`)).body).toMatchObject({ id: run.sessionId });
    expect((await request('ann', 'GET', '/skills/mooring')).body).toMatchObject({ enabled: true });
  });

  it('answers over Socket.IO as one that does not exist', async () => {
    const ann = await connect('ann');
    const bob = await connect('bob');
    const { sessionId, runId } = await ann.chat('remember the harbour');
    await ann.endOf(runId);
    for (const message of [
      { type: 'subscribe', sessionId },
      { type: 'chat', text: 'go on', sessionId },
      { type: 'cancel', runId },
      { type: 'steer', runId, text: 'faster' },
      { type: 'set_thinking_level', sessionId, level: 'high' },
    ]) {
      expect(await bob.send(message)).toMatchObject({ ok: false, error: { code: 'not_found' } });
    }
    expect(bob.received.filter(event => 'runId' in event && event.runId === runId)).toEqual([]);
  });
});

describe('lists, search and counts', () => {
  it('hold nothing of another tenant', async () => {
    const lists = ['/sessions', '/runs', '/memories', '/jobs', '/clarifications', '/approvals', '/search?q=harbour', '/sessions?q=harbour'];
    for (const path of lists) expect(JSON.stringify((await request('dee', 'GET', path)).body)).not.toMatch(/harbour|acme|globex/);
    expect(JSON.stringify((await request('bob', 'GET', '/skills')).body)).not.toContain('mooring');
    const callsOf = async (person: Person) => {
      const { data } = (await request<PageBody<Row>>(person, 'GET', '/tools')).body;
      return data.find(({ name }) => name === 'calculator')?.['calls'];
    };
    await call('ann', 'calculator', { expression: '6*7' });
    expect([await callsOf('ann'), await callsOf('bob')]).toEqual([1, 0]);
    for (const path of ['//readyz', '/info']) expect(JSON.stringify((await request('bob', 'GET', path)).body)).not.toMatch(/acme|mooring/);
  });

  it('let two tenants use the same names, texts and request keys', async () => {
    const both = async (send: (person: Person) => Promise<{ status: number; body: Row }>) =>
      Promise.all((['ann', 'bob'] as const).map(send));
    const jobs = await both(person => request(person, 'POST', '/jobs', { name: 'twin', input: 'x', schedule: { everyMs: 3_600_000 } }));
    const memories = await both(person => request(person, 'POST', '/memories', { text: 'Both know the same thing' }));
    const runs = await both(person =>
      bench.rest.request<Row>('POST', '/runs', { input: 'remember the harbour' }, as(person, { 'idempotency-key': 'one-key' })),
    );
    expect([...jobs, ...memories].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(runs.map(({ body }) => body['runId'])).size).toBe(2);
  });
});

describe('a question', () => {
  it('says who answered it, and no other tenant can', async () => {
    const client = await connect('ann');
    const { sessionId, runId } = await client.chat('ask me');
    const { data } = await client.waitFor('clarify_request', event => event.runId === runId);
    const { requestId } = data;
    const foreign = await request<{ error: { code: string } }>('bob', 'POST', `/clarifications/${requestId}`, { answer: 'red' });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'not_found']);
    const bob = await connect('bob');
    expect(await bob.send({ type: 'clarify_response', sessionId, requestId, answer: 'red' })).toMatchObject({
      error: { code: 'not_found' },
    });
    expect((await request('amy', 'POST', `/clarifications/${requestId}`, { answer: 'blue' })).status).toBe(200);
    const end = await client.waitFor('clarify_end', event => event.runId === runId);
    expect(end.data).toEqual({ requestId, status: 'answered', answer: 'blue', decidedBy: 'amy' });
    await client.endOf(runId);
    const rows = (await request<PageBody<Row>>('ann', 'GET', `/clarifications?sessionId=${sessionId}`)).body.data;
    expect(rows).toEqual([expect.objectContaining({ requestId, decidedBy: 'amy' })]);
  });
});

describe('fifty answers of two keys at once', () => {
  it('have one winner, who is recorded with the answer', async () => {
    const client = await connect('ann');
    const { sessionId, runId } = await client.chat('ask me');
    const { requestId } = (await client.waitFor('clarify_request', event => event.runId === runId)).data;
    const [left, right] = [await connect('ann'), await connect('amy')];
    const overRest = async (person: 'ann' | 'amy', answer: string) => {
      const { status, body } = await request<{ error: { details: object } }>(person, 'POST', `/clarifications/${requestId}`, { answer });
      return { person, answer, won: status === 200, details: body.error?.details };
    };
    const overSocket = async (person: 'ann' | 'amy', answer: string) => {
      const ack = await (person === 'ann' ? left : right).send({ type: 'clarify_response', sessionId, requestId, answer });
      return { person, answer, won: ack.ok, details: ack.error?.details };
    };
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_, i) => {
        const send = i % 4 < 2 ? overRest : overSocket;
        return send(i % 2 === 0 ? 'ann' : 'amy', `answer ${i}`);
      }),
    );
    const [winner, ...others] = tries.filter(({ won }) => won);
    expect(others).toEqual([]);
    for (const { won, details } of tries) if (!won) expect(details).toMatchObject({ status: 'answered', answer: winner?.answer });
    const end = await client.waitFor('clarify_end', event => event.runId === runId);
    expect(end.data).toEqual({ requestId, status: 'answered', answer: winner?.answer, decidedBy: winner?.person });
    await client.endOf(runId);
  });
});

describe('a start with a folder that another tenant left', () => {
  it('keeps what is in it', async () => {
    await put('bob', 'lasting.txt', 'lasts\n');
    await bench.gateway.restart();
    const answer = await fetch(`${bench.gateway.url}/api/v1/files/lasting.txt`, { headers: as('bob') });
    expect(await answer.text()).toBe('lasts\n');
    await rm(folder('globex'), { recursive: true });
    await mkdir(folder('globex'));
    expect((await request<PageBody<Row>>('bob', 'GET', '/files')).body.data).toEqual([]);
  });
});

describe('an MCP server', () => {
  let config: McpConfig;
  let other: AgentBench;

  beforeAll(async () => {
    const files = stdio(PUBLISHED.filesystem, '${NETA_WORKSPACE}');
    config = await createMcpConfig({ own: files, lent: { ...files, tenants: ['acme', 'default'] } });
    other = await startBench({
      env: { NETA_API_KEYS: KEYS, NETA_CONFIG_DIR: config.directory },
      files: { 'of-default.txt': 'of default\n' },
    });
    const rowsOf = async () => (await other.rest.request<PageBody<Row>>('GET', '/mcp-servers', undefined, as('dee'))).body.data;
    await until(async () => (await rowsOf()).every(({ state }) => state === 'connected'));
  });
  afterAll(async () => {
    await other?.stop();
    await config?.remove();
  });

  it('that sees the files of the default tenant gives no other one its tools, unless the operator lends them', async () => {
    const rest = createRestClient(other.gateway.url);
    const seenBy = async (person: Person) => {
      const get = async (path: string) => (await rest.request<PageBody<Row>>('GET', path, undefined, as(person))).body;
      const servers = (await get('/mcp-servers')).data.map(({ name }) => name);
      const toolsets = new Set((await get('/tools?origin=mcp')).data.map(({ toolset }) => toolset));
      const agents = (await get('/agents')).data
        .flatMap(({ tools }) => tools as string[])
        .filter(name => name.endsWith('__read_text_file'));
      const call = async (server: string) => {
        const body = { toolName: `${server}__read_text_file`, parameters: { path: join(other.gateway.workspace, 'of-default.txt') } };
        const answer = await rest.request<{ status: string }>('POST', '/tools/call', body, as(person));
        return answer.status === 200 ? answer.body.status : answer.status;
      };
      return { servers, toolsets: [...toolsets], agents, calls: [await call('own'), await call('lent')] };
    };
    const names = (servers: string[]) => ({ servers, toolsets: servers, agents: servers.map(name => `${name}__read_text_file`) });
    expect(await seenBy('dee')).toEqual({ ...names(['own', 'lent']), calls: ['success', 'success'] });
    expect(await seenBy('ann')).toEqual({ ...names(['lent']), calls: [404, 'success'] });
    expect(await seenBy('bob')).toEqual({ ...names([]), calls: [404, 404] });
    expect((await rest.request('POST', '/mcp-servers/own/reconnect', undefined, as('ann'))).status).toBe(404);
  });
});
