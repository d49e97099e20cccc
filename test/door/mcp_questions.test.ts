/** Questions of MCP servers when calls of several sessions are open, or were just cancelled. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ChatClient } from '../support/chat_client';
import {
  createMcpConfig,
  type HttpServer,
  type McpConfig,
  PUBLISHED,
  startEverything,
  stdio,
  waitForServers,
} from '../support/mcp_servers';
import { until } from '../support/until';

const HOSTILE = join(__dirname, '../support/hostile_mcp_server.cjs');
const LONG = { name: 'remote__trigger-long-running-operation', arguments: { duration: 60, steps: 600 } };
const ASK = { name: 'remote__trigger-elicitation-request', arguments: {} };

let bench: AgentBench;
let config: McpConfig;
let overHttp: HttpServer;
let folder: string;

beforeAll(async () => {
  overHttp = await startEverything('streamableHttp');
  folder = await mkdtemp(join(tmpdir(), 'neta-asking-'));
  const servers = {
    remote: { url: overHttp.url },
    local: stdio(PUBLISHED.everything),
    late: stdio(HOSTILE, 'late', join(folder, 'calls')),
  };
  config = await createMcpConfig(servers);
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory } });
  await waitForServers(bench.rest, rows => Object.values(rows).every(({ state }) => state === 'connected'));
});

afterAll(async () => {
  await bench?.stop();
  await Promise.all([config?.remove(), overHttp?.stop()]);
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Starts a run of a new session in which the model makes the call. */
async function startCall(text: string, call: { name: string; arguments: Record<string, unknown> }) {
  bench.model.onTurn(text, { toolCalls: [call] }, 'done');
  const client = await bench.connect();
  return { client, text, ...(await client.chat(text)) };
}

type StartedCall = Awaited<ReturnType<typeof startCall>>;

const questionOf = ({ client, runId }: StartedCall) => client.waitFor('clarify_request', event => event.runId === runId);

async function answer({ client, sessionId, runId, text }: StartedCall, requestId: string, words: string): Promise<string> {
  await client.send({ type: 'clarify_response', sessionId, requestId, answer: words });
  await client.endOf(runId);
  return bench.model.requests(text).at(-1)?.toolResults.at(-1) ?? '';
}

async function cancel(client: ChatClient, runId: string): Promise<void> {
  expect(await client.send({ type: 'cancel', runId })).toMatchObject({ ok: true, status: 'cancelled' });
}

it('over streamable HTTP each of two sessions gets the question of its own call (beaver.mcp)', async () => {
  const calls = await Promise.all([startCall('ask the first person', ASK), startCall('ask the second person', ASK)]);
  const asked = await Promise.all(calls.map(questionOf));
  const told = await Promise.all(calls.map((call, i) => answer(call, asked[i]?.data.requestId ?? '', `name: Person ${i}`)));
  expect(told[0]).toContain('Person 0');
  expect(told[1]).toContain('Person 1');
});

it('over streamable HTTP a person is asked right after another session cancelled its call', async () => {
  const first = await startCall('work for long over HTTP', LONG);
  await first.client.waitFor('tool_call_delta', event => event.runId === first.runId);
  await cancel(first.client, first.runId);
  const second = await startCall('ask after the cancelled call', ASK);
  const asked = await questionOf(second);
  expect(await answer(second, asked.data.requestId, 'name: Ada')).toContain('Ada');
});

it('over stdio a person is asked as soon as the server has answered the cancelled call of another session', async () => {
  const linesOf = async () => (await readFile(join(folder, 'calls'), 'utf8').catch(() => '')).split('\n');
  const first = await startCall('wait until cancelled', { name: 'late__wait', arguments: {} });
  await until(async () => (await linesOf()).includes('wait'));
  await cancel(first.client, first.runId);
  await until(async () => (await linesOf()).includes('cancelled'));
  const second = await startCall('ask after the late answer', { name: 'late__yes', arguments: {} });
  const asked = await questionOf(second);
  expect(await answer(second, asked.data.requestId, 'Accept')).toContain('{"action":"accept","content":{}}');
});

it('over stdio the model is told why a question was declined while another session had a call', async () => {
  const first = await startCall('work for long over stdio', { ...LONG, name: 'local__trigger-long-running-operation' });
  await first.client.waitFor('tool_call_delta', event => event.runId === first.runId);
  const { client, runId, text } = await startCall('ask in between', { ...ASK, name: 'local__trigger-elicitation-request' });
  await client.endOf(runId);
  expect(bench.model.requests(text).at(-1)?.toolResults.at(-1)).toContain('make it again in about 10 s');
  expect(client.eventsOf(runId).map(({ type }) => type)).not.toContain('clarify_request');
  await cancel(first.client, first.runId);
});
