/** Tools of published MCP servers through both doors: server-everything, -filesystem and -memory over stdio, HTTP and the older SSE. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import {
  createMcpConfig,
  type HttpServer,
  listServers,
  type McpConfig,
  PUBLISHED,
  startEverything,
  stdio,
  waitForServers,
} from '../support/mcp_servers';
import type { ModelRequest } from '../support/mock_model';

const SECRET = 'mcp-5ecret-value-0123456789';

let bench: AgentBench;
let config: McpConfig;
let memoryFolder: string;
let overHttp: HttpServer;
let overSse: HttpServer;

beforeAll(async () => {
  [overHttp, overSse] = await Promise.all([startEverything('streamableHttp'), startEverything('sse')]);
  // The server replaces its file by another one, so it gets a folder of its own.
  memoryFolder = await mkdtemp(join(tmpdir(), 'neta-mcp-memory-'));
  const servers = {
    everything: { ...stdio(PUBLISHED.everything), env: { MCP_SECRET: '${TEST_MCP_SECRET}' }, timeoutMs: 10_000 },
    files: stdio(PUBLISHED.filesystem, '${NETA_WORKSPACE}'),
    memory: { ...stdio(PUBLISHED.memory), env: { MEMORY_FILE_PATH: join(memoryFolder, 'memory.jsonl') }, deny: ['delete_entities'] },
    remote: { url: overHttp.url, headers: { 'x-key': '${TEST_MCP_SECRET}' }, effect: 'read' },
    old: { url: overSse.url, allow: ['echo', 'get-sum'] },
  };
  config = await createMcpConfig(servers);
  bench = await startBench({
    env: { NETA_CONFIG_DIR: config.directory, TEST_MCP_SECRET: SECRET },
    files: { 'notes.txt': 'a line of notes\n' },
  });
  await waitForServers(bench.rest, rows => Object.values(rows).every(({ state }) => state === 'connected'));
});

afterAll(async () => {
  await bench?.stop();
  await Promise.all([config?.remove(), overHttp?.stop(), overSse?.stop()]);
  if (memoryFolder) await rm(memoryFolder, { recursive: true, force: true });
});

type Call = { name: string; arguments: Record<string, unknown> };

/** Sends a message for which the model makes the call, and returns what the model was told and what the run reports. */
async function runOverRest(text: string, call: Call, more: Record<string, unknown> = {}) {
  bench.model.onTurn(text, { toolCalls: [call] }, 'done');
  const { body } = await bench.rest.run({ input: text, ...more });
  return { told: toldIn(text), calls: body.toolCalls, status: body.status };
}

async function runOverSocket(text: string, call: Call) {
  bench.model.onTurn(text, { toolCalls: [call] }, 'done');
  const client = await bench.connect();
  const { runId } = await client.chat(text);
  const end = await client.endOf(runId);
  const ended = client.eventsOf(runId).flatMap(event => (event.type === 'tool_call_end' ? [event.data] : []));
  return { told: toldIn(text), calls: ended, status: end.data.status };
}

const toldIn = (text: string): string => (bench.model.requests(text).at(-1) as ModelRequest).toolResults.at(-1) ?? '';

const callDirectly = (toolName: string, parameters: object) =>
  bench.rest.request<{ status: string; message: string; result: { blocks: unknown[]; structured?: unknown } }>('POST', '/tools/call', {
    toolName,
    parameters,
  });

describe.each([
  ['REST', runOverRest],
  ['Socket.IO', runOverSocket],
] as const)('over %s (beaver.mcp)', (door, run) => {
  it.each([
    ['stdio', 'everything'],
    ['streamable HTTP', 'remote'],
    ['the older SSE transport', 'old'],
  ])('a tool over %s is called like a built-in one, and its result is marked as untrusted', async (transport, server) => {
    const { told, calls, status } = await run(`add by ${transport} for ${door}`, {
      name: `${server}__get-sum`,
      arguments: { a: 2, b: 40 },
    });
    expect(told).toContain('The sum of 2 and 40 is 42.');
    expect(told).toContain(`<untrusted_server_content source="${server}">`);
    expect(calls).toEqual([expect.objectContaining({ name: `${server}__get-sum`, ok: true })]);
    expect(status).toBe('completed');
  });

  it('wrong arguments are refused before the server gets them, and the message names the field', async () => {
    const { told } = await run(`add a word for ${door}`, { name: 'everything__get-sum', arguments: { a: 'two', b: 1 } });
    expect(told).toContain('- a: must be number, got "two"');
  });
});

it('the tools of several servers work on the same workspace and do not mix', async () => {
  const path = join(bench.gateway.workspace, 'notes.txt');
  const { told } = await runOverRest('read with the server', { name: 'files__read_text_file', arguments: { path } });
  expect(told).toContain('a line of notes');
  const entity = { name: 'Ada', entityType: 'person', observations: ['likes engines'] };
  const made = await runOverRest('remember with the server', { name: 'memory__create_entities', arguments: { entities: [entity] } });
  expect(made.told).toContain('likes engines');
});

it('GET /tools lists them with origin and toolset, and allow and deny take the names of the server', async () => {
  const { body } = await bench.rest.request<{ data: { name: string; toolset: string; enabled: boolean; effect: string }[] }>(
    'GET',
    '/tools?origin=mcp',
  );
  const row = (name: string) => body.data.find(tool => tool.name === name);
  expect(row('everything__echo')).toMatchObject({ toolset: 'everything', enabled: true, effect: 'external' });
  expect(row('remote__echo')).toMatchObject({ effect: 'read' });
  expect(row('memory__delete_entities')).toBeUndefined();
  expect(body.data.filter(({ toolset }) => toolset === 'old').map(({ name }) => name)).toEqual(['old__echo', 'old__get-sum']);
  expect(row('everything__simulate-research-query')).toMatchObject({ enabled: true });
});

it('an image is described in words, and programs get it as data', async () => {
  const { body } = await callDirectly('everything__get-tiny-image', {});
  expect(body.message).toMatch(/The server sent an image \(image\/png, /);
  expect(body.message).not.toMatch(/[A-Za-z0-9+/]{200}/);
  expect(body.result.blocks).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png', base64: expect.any(String) }));
});

it('an image goes with the result of a run, and a model that cannot see is told so', async () => {
  const { told } = await runOverRest('draw with the server', { name: 'everything__get-tiny-image', arguments: {} });
  expect(told).toMatch(
    /The server sent an image \(image\/png, [^)]*\), which is attached[\s\S]*\[image 1: image\/png, .*; this model cannot see images\]/,
  );
});

it('structured content, resources and links reach the model as text and programs as data', async () => {
  const weather = (await callDirectly('everything__get-structured-content', { location: 'Chicago' })).body;
  expect(weather.result.structured).toMatchObject({ conditions: expect.any(String) });
  const resource = (await callDirectly('everything__get-resource-reference', { resourceType: 'Text', resourceId: 1 })).body;
  expect(resource.message).toMatch(/\[Resource demo:\/\/\S+ \(text\/plain\)\]/);
  const links = (await callDirectly('everything__get-resource-links', { count: 2 })).body;
  expect(links.message.match(/\[Link demo:/g)).toHaveLength(2);
});

it('a tool that runs as a task is followed to its end', async () => {
  const { body } = await callDirectly('everything__simulate-research-query', { topic: 'tides' });
  expect(body.message).toMatch(/Research Report: tides/);
});

it('progress arrives as tool_call_delta', async () => {
  bench.model.onTurn(
    'work in steps',
    { toolCalls: [{ name: 'everything__trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } }] },
    'done',
  );
  const client = await bench.connect();
  const { runId } = await client.chat('work in steps');
  await client.endOf(runId);
  const output = client.eventsOf(runId).flatMap(event => (event.type === 'tool_call_delta' ? [event.data.output] : []));
  expect(output.join('')).toBe('1/3\n2/3\n3/3\n');
});

it('a cancelled run ends the call at once', async () => {
  bench.model.onTurn('work for long', {
    toolCalls: [{ name: 'remote__trigger-long-running-operation', arguments: { duration: 60, steps: 600 } }],
  });
  const client = await bench.connect();
  const { runId } = await client.chat('work for long');
  await client.waitFor('tool_call_delta', event => event.runId === runId);
  expect(await client.send({ type: 'cancel', runId })).toMatchObject({ ok: true, status: 'cancelled' });
});

it('the server gets the workspace as a root', async () => {
  const { body } = await callDirectly('everything__get-roots-list', {});
  expect(body.message).toContain(`file://${bench.gateway.workspace}`);
});

describe('a question of a server', () => {
  const ASK = { toolCalls: [{ name: 'everything__trigger-elicitation-request', arguments: {} }] };

  it('becomes a clarification with the name of the server, and the answer reaches it', async () => {
    bench.model.onTurn('let the server ask', ASK, 'done');
    const client = await bench.connect();
    const { sessionId, runId } = await client.chat('let the server ask');
    const asked = await client.waitFor('clarify_request', event => event.runId === runId);
    expect(asked.data.question).toMatch(/^The MCP server "everything" asks: Please provide inputs/);
    await client.send({ type: 'clarify_response', sessionId, requestId: asked.data.requestId, answer: 'name: Ada\ninteger: 7' });
    await client.endOf(runId);
    expect(toldIn('let the server ask')).toMatch(/Name: Ada[\s\S]*"integer": 7/);
  });

  it('is declined in a run that cannot wait, and the result holds it', async () => {
    const { told } = await runOverRest('let the server ask nobody', ASK.toolCalls[0] as Call);
    expect(told).toMatch(/declin/i);
    expect(told).toMatch(/asked the person a question.*declined/);
    expect(told).toContain('Please provide inputs');
  });
});

it('sampling is not offered to servers', async () => {
  const { body } = await bench.rest.request<{ data: { name: string }[] }>('GET', '/tools?toolset=everything');
  expect(body.data.map(({ name }) => name)).not.toContain('everything__trigger-sampling-request');
});

it('a server gets a minimal environment, and a secret of it appears in no result, row or log', async () => {
  const { body } = await callDirectly('everything__get-env', {});
  expect(body.message).toContain('MCP_SECRET');
  expect(body.message).not.toContain('OPENAI_API_KEY');
  const everywhere = [JSON.stringify(body), JSON.stringify(await listServers(bench.rest)), bench.gateway.output()].join('\n');
  expect(everywhere).not.toContain(SECRET);
});

it('the prompt holds no words of a server outside the tool list', async () => {
  const { told } = await runOverRest('look at the prompt', { name: 'everything__echo', arguments: { message: 'hello' } });
  expect(told).toContain('Echo: hello');
  const request = bench.model.requests('look at the prompt').at(-1) as ModelRequest;
  expect(request.toolNames).toContain('everything__echo');
  expect(JSON.stringify(request.body.messages[0])).not.toContain('everything__');
});

it('POST reconnect connects anew and answers with the row; an unknown name is not found', async () => {
  const { status, body } = await bench.rest.request<{ state: string; tools: string[] }>('POST', '/mcp-servers/files/reconnect');
  expect([status, body.state]).toEqual([200, 'connected']);
  expect(body.tools).toContain('files__read_text_file');
  const unknown = await bench.rest.request('POST', '/mcp-servers/nobody/reconnect');
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
});

it('an HTTP server that is away is noticed with the next call, and connected again when it is back', async () => {
  await overHttp.stop();
  const { told } = await runOverRest('call the server that is away', { name: 'remote__echo', arguments: { message: 'hello' } });
  expect(told).toMatch(
    /the MCP server "remote" could not be reached|connection to the MCP server "remote" ended|"remote" is not connected/,
  );
  const away = await waitForServers(bench.rest, rows => rows['remote']?.error !== undefined);
  expect(away['remote']?.error).toMatch(/cannot be reached|broke|closed/);
  overHttp = await startEverything('streamableHttp', overHttp.port);
  await bench.rest.request('POST', '/mcp-servers/remote/reconnect');
  await waitForServers(bench.rest, rows => rows['remote']?.state === 'connected');
  const back = await runOverRest('call the server that is back', { name: 'remote__echo', arguments: { message: 'again' } });
  expect(back.told).toContain('Echo: again');
});
