/** The MCP door with keys: whose session it is, what a scope allows, revoked keys, limits, a restart, and a gateway that uses another gateway. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBench } from '../support/agent_bench';
import { bearer, type KeyBench, startKeyBench } from '../support/key_bench';
import { manifestText, writeConfigFiles } from '../support/manifest_config';
import { callTool, connectMcp, type McpDoorClient, type McpDoorClientOptions } from '../support/mcp_client';
import { createMcpConfig, waitForServers } from '../support/mcp_servers';
import { until } from '../support/until';

let keys: KeyBench;
let config: string;
const clients: McpDoorClient[] = [];

beforeAll(async () => {
  config = await mkdtemp(join(tmpdir(), 'neta-mcp-door-'));
  await cp(join(__dirname, '../../config/agents'), join(config, 'agents'), { recursive: true });
  await writeFile(join(config, 'approvals.yaml'), 'rules:\n  - { tool: bash, decision: ask }\n');
  await writeFile(
    join(config, 'limits.yaml'),
    'keys:\n  hasty: { requestsPerMinute: 5 }\n  batcher: { requestsPerMinute: 5 }\n  thrifty: { tokensPerDay: 1 }\n',
  );
  keys = await startKeyBench({ NETA_CONFIG_DIR: config, NETA_MCP_TOOLS: 'calculator,greeter*,missing_tool' });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()));
});
afterAll(async () => {
  await keys?.bench.stop();
  await rm(config, { recursive: true, force: true });
});

async function connect(options: McpDoorClientOptions): Promise<McpDoorClient> {
  const client = await connectMcp(keys.url, options);
  clients.push(client);
  return client;
}

const secretOf = async (name: string, scopes: string[], more = {}) => (await keys.makeKey({ name, scopes, ...more })).secret;

/** Sends a request of a session with any key. */
async function ping(secret: string, session: string) {
  const response = await fetch(`${keys.url}/mcp`, {
    method: 'POST',
    headers: {
      ...bearer(secret),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-session-id': session,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 99, method: 'ping' }),
  });
  await response.text();
  return response.status;
}

it('a session answers its own key alone, also within the tenant', async () => {
  const [own, colleague] = [await secretOf('own', ['chat']), await secretOf('colleague', ['chat'])];
  const rival = await secretOf('mcp-rival', ['chat'], { tenant: 'rival' });
  const { transport } = await connect({ secret: own });
  const session = transport.sessionId ?? '';
  expect([await ping(own, session), await ping(colleague, session), await ping(rival, session)]).toEqual([200, 404, 404]);
});

it('a caller without a key or with a wrong one gets 401', async () => {
  await expect(connectMcp(keys.url)).rejects.toMatchObject({ code: 401 });
  await expect(connectMcp(keys.url, { secret: 'a-wrong-secret-0123456789' })).rejects.toMatchObject({ code: 401 });
});

it('a revoked key ends its sessions at once, and the run goes on', async () => {
  const { id, secret } = await keys.makeKey({ name: 'mcp-leaver', scopes: ['chat'] });
  const { model } = keys.bench;
  model.onTurn('outlive the key', { text: 'Outlived.', pauseAfter: 0 });
  const client = await connect({ secret });
  const calling = callTool(client, 'ask_default', { input: 'outlive the key' }, { timeout: 5_000 }).catch((thrown: Error) => thrown);
  await model.waitFor('outlive the key');
  const session = client.transport.sessionId ?? '';
  await keys.admin.request('DELETE', `/api-keys/${id}`);
  expect(await ping(secret, session)).toBe(401);
  model.resume();
  const { body } = await keys.admin.request<{ data: { runId: string; input: string; status: string }[] }>('GET', '/runs');
  const run = body.data.find(({ input }) => input === 'outlive the key');
  expect(await endOf(run?.runId)).toMatchObject({ status: 'completed', text: 'Outlived.' });
  await client.close();
  expect(await calling).toBeInstanceOf(Error);
});

it('shows chosen tools to keys with the scope tools alone, and only those that exist', async () => {
  const talker = await connect({ secret: await secretOf('talker', ['chat']) });
  const caller = await connect({ secret: await secretOf('caller', ['chat', 'tools']) });
  const namesOf = async ({ client }: McpDoorClient) =>
    (await client.listTools()).tools.map(({ name }) => name).filter(name => !name.startsWith('ask_'));
  expect(await namesOf(talker)).toEqual([]);
  expect(await namesOf(caller)).toEqual(['calculator']);
  await expect(talker.client.callTool({ name: 'calculator', arguments: { expression: '1' } })).rejects.toMatchObject({ code: -32602 });
  expect(await callTool(caller, 'calculator', { expression: '2 + 3' })).toMatchObject({
    content: [{ text: expect.stringContaining('5') }],
  });
  const { body } = await keys.admin.request<{ warnings: string[] }>('GET', '//readyz');
  expect(body.warnings).toContain('NETA_MCP_TOOLS: there is no tool missing_tool now.');
});

/** Denies the next approval, as a colleague with the scope approve. */
async function denyNext(): Promise<void> {
  const list = () => keys.admin.request<{ data: { requestId: string }[] }>('GET', '/approvals?status=pending');
  const open = await until(async () => (await list()).body.data[0]);
  await keys.admin.request('POST', `/approvals/${open?.requestId}`, { decision: 'deny' });
}

it('asks for approvals only when the key may decide them; a colleague decides the others', async () => {
  keys.bench.model.onTurn('touch a file', { toolCalls: [{ name: 'bash', arguments: { command: 'touch file' } }] }, 'Over.');
  const allow = () => ({ action: 'accept' as const, content: { decision: 'allow_once' } });
  for (const [scopes, asked] of [[['chat'], 0] as const, [['chat', 'approve'], 1] as const]) {
    const secret = await secretOf(`approver-${asked}`, [...scopes]);
    const client = await connect({ secret, onElicitation: allow });
    const calling = callTool(client, 'ask_default', { input: 'touch a file' });
    if (asked === 0) await denyNext();
    const result = await calling;
    expect(client.asked).toHaveLength(asked);
    expect(result.structuredContent).toMatchObject({ toolCalls: [{ ok: asked === 1 }] });
  }
});

it('counts requests and tokens against the limits of the key', async () => {
  const hasty = await connect({ secret: await secretOf('hasty', ['chat']) });
  const pings = Array.from({ length: 5 }, () => hasty.client.ping());
  const outcomes = await Promise.allSettled(pings);
  expect(outcomes.filter(({ status }) => status === 'rejected').map(outcome => String((outcome as PromiseRejectedResult).reason))).toEqual(
    expect.arrayContaining([expect.stringContaining('rate_limited')]),
  );
  keys.bench.model.onTurn('spend', 'Spent.');
  const thrifty = await connect({ secret: await secretOf('thrifty', ['chat']) });
  await callTool(thrifty, 'ask_default', { input: 'spend' });
  const second = await callTool(thrifty, 'ask_default', { input: 'spend' });
  expect(second).toMatchObject({ isError: true, _meta: { 'neta/error': { code: 'quota_exceeded' } } });
});

it('counts each message of a batch as a request', async () => {
  const { client, transport } = await connect({ secret: await secretOf('batcher', ['chat']) });
  const batch = Array.from({ length: 6 }, (_value, id) => ({ jsonrpc: '2.0' as const, id: 100 + id, method: 'ping' }));
  const refused = transport.send(batch as never).catch((thrown: Error) => thrown);
  expect(String(await refused)).toContain('rate_limited');
  await client.close();
});

it('tells clients when a manifest brings a chosen tool', async () => {
  const client = await connect({ secret: await secretOf('watcher', ['chat', 'tools']) });
  // The stream for such messages opens behind the first answer.
  await client.client.ping();
  // The program comes first: a manifest without its program changes the tools too, and brings none.
  await writeConfigFiles(config, { 'tools/greeter.sh': '#!/bin/sh\nread line\necho \'{"status":"success","result":"hi"}\'\n' });
  await writeConfigFiles(config, { 'tools/greeter.yaml': manifestText('greeter', 'greeter.sh', 'runtime: native') });
  await client.toolsChanged;
  const { tools } = await client.client.listTools();
  expect(tools.map(({ name }) => name)).toContain('greeter');
});

it('after a restart the call is lost, and the session reaches the run that went on', async () => {
  const { bench } = keys;
  bench.model.onTurn('survive', { text: 'Survived.', pauseAfter: 0 });
  const secret = 'admin-secret-0123456789';
  const before = await connect({ secret });
  const found = Promise.withResolvers<{ runId: string; sessionId: string }>();
  const onprogress = (progress: object) => found.resolve((progress as { _meta: { 'neta/run': never } })._meta['neta/run']);
  const lost = callTool(before, 'ask_default', { input: 'survive' }, { onprogress }).catch((thrown: Error) => thrown);
  await bench.model.waitFor('survive');
  const { runId, sessionId } = await found.promise;
  await bench.gateway.restart();
  expect(await ping(secret, before.transport.sessionId ?? '')).toBe(200);
  bench.model.resume();
  expect(await endOf(runId)).toMatchObject({ status: 'completed', text: 'Survived.' });
  bench.model.onTurn('what was it', 'The same session.');
  expect(await callTool(before, 'ask_default', { input: 'what was it', sessionId })).toMatchObject({
    structuredContent: { sessionId, text: 'The same session.' },
  });
  await before.close();
  expect(await lost).toBeInstanceOf(Error);
});

it('a gateway can use an agent of another gateway, whose question reaches the first person and whose run ends with the first', async () => {
  const { model } = keys.bench;
  const secret = await secretOf('neighbour', ['chat']);
  const asks = { toolCalls: [{ name: 'clarify', arguments: { question: 'Tea or coffee?', choices: ['tea', 'coffee'] } }] };
  model.onTurn('make a drink', asks, ({ toolResults }) => `made: ${toolResults.at(-1)?.split('\n').at(-1)}`);
  const near = await createMcpConfig({ far: { url: `${keys.url}/mcp`, headers: { Authorization: `Bearer ${secret}` } } });
  const bench = await startBench({ env: { NETA_CONFIG_DIR: near.directory } });
  try {
    await waitForServers(bench.rest, rows => rows['far']?.state === 'connected');
    const call = { name: 'far__ask_default', arguments: { input: 'make a drink' } };
    bench.model.onTurn('I am thirsty', { toolCalls: [call] }, ({ toolResults }) => `told: ${toolResults.at(-1)}`);
    const person = await bench.connect({ capabilities: ['clarify@1'] });
    const { runId, sessionId } = await person.chat('I am thirsty');
    const { data } = await person.waitFor('clarify_request');
    expect(data.question).toContain('Tea or coffee?');
    await person.send({ type: 'clarify_response', sessionId, requestId: data.requestId, answer: 'coffee' });
    const end = await person.endOf(runId);
    expect(end.data.text).toContain('made: coffee');
    model.onTurn('brew for long', { text: 'never seen', pauseAfter: 0 });
    const slow = { name: 'far__ask_default', arguments: { input: 'brew for long' } };
    bench.model.onTurn('I am in no hurry', { toolCalls: [slow] }, 'never seen');
    const next = await person.chat('I am in no hurry', { sessionId });
    const brewing = await model.waitFor('brew for long');
    await person.send({ type: 'cancel', runId: next.runId });
    expect(await brewing.ended).toBe('hung_up');
  } finally {
    await bench.stop();
    await near.remove();
  }
});

/** Resumes the answers of the model until the run has ended, and resolves with the run. */
async function endOf(runId = ''): Promise<{ status: string; text: string }> {
  return until(
    async () => {
      keys.bench.model.resume();
      return (await keys.admin.request<{ status: string; text: string }>('GET', `/runs/${runId}`)).body;
    },
    ({ status }) => status !== 'running',
  );
}
