/** MCP servers without sessions (2026-07-28), and a server of an older version beside one: tools, questions, cancel, changed tools, a restart. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { createMcpConfig, listServers, type McpConfig, waitForServers } from '../support/mcp_servers';
import { type StatelessMcpServer, startStatelessServer } from '../support/stateless_mcp_server';
import { startTracedMcpServer, type TracedMcpServer } from '../support/traced_mcp_server';
import { until } from '../support/until';

const SECRET = 'the-secret-of-the-new-server';

let bench: AgentBench;
let config: McpConfig;
let server: StatelessMcpServer;
let old: TracedMcpServer;

beforeAll(async () => {
  [server, old] = [await startStatelessServer(SECRET), await startTracedMcpServer()];
  config = await createMcpConfig({
    fresh: { url: server.url, headers: { Authorization: `Bearer ${SECRET}` } },
    old: { url: old.url },
    locked: { url: server.url },
  });
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory } });
  await waitForServers(bench.rest, ({ fresh, old: other }) => fresh?.state === 'connected' && other?.state === 'connected');
}, 30_000);
afterAll(async () => {
  await bench?.stop();
  await Promise.all([config?.remove(), server?.stop(), old?.stop()]);
});

/** Starts a run in which the model calls the tool. */
async function startCall(text: string, tool: string, args: object = {}) {
  bench.model.onTurn(text, { toolCalls: [{ name: tool, arguments: args as Record<string, unknown> }] }, 'done');
  const client = await bench.connect();
  return { client, ...(await client.chat(text)) };
}
const toldOf = (text: string): string => bench.model.requests(text).at(-1)?.toolResults.at(-1) ?? '';

it('connects servers of both kinds, each by its own version', async () => {
  const rows = await listServers(bench.rest);
  expect(rows['fresh']).toMatchObject({ state: 'connected', transport: 'http', server: { name: 'stateless', version: '3.1' } });
  expect(rows['fresh']?.tools).toEqual(expect.arrayContaining(['fresh__where', 'fresh__paint']));
  expect(server.seen[0]).toBe('server/discover');
  expect(server.seen).toEqual(expect.arrayContaining(['tools/list', 'subscriptions/listen']));
  expect(server.seen).not.toContain('initialize');
  expect(rows['old']?.state).toBe('connected');
});

it('says why a server that refuses the key is not connected', async () => {
  const { locked } = await listServers(bench.rest);
  expect(locked?.error).toContain('401');
});

it('leaves out tools that are malformed, names them in the warnings, and uses the others', async () => {
  const { fresh } = await listServers(bench.rest);
  const problems = [
    expect.stringContaining('fresh__broken cannot be used'),
    expect.stringContaining('fresh__misrouted cannot be used: its x-mcp-header'),
    expect.stringContaining('1 tools without a name'),
  ];
  expect(fresh?.problems).toEqual(expect.arrayContaining(problems));
  expect(fresh?.tools).not.toContain('fresh__broken');
  const { body } = await bench.rest.request<{ warnings: string[] }>('GET', '//readyz');
  expect(body.warnings.join(' ')).toContain('fresh__broken');
});

it('reads the app of a tool', async () => {
  const { body } = await bench.rest.request('GET', '/mcp-servers/fresh/app?uri=ui%3A%2F%2Fwhere');
  expect(body).toEqual({ html: '<p>The app.</p>' });
});

it('calls a tool', async () => {
  const { client, runId } = await startCall('where is it', 'fresh__where');
  await client.endOf(runId);
  expect(toldOf('where is it')).toContain('here');
});

it('asks the person when the server requires input, and repeats the call with the answer and the state', async () => {
  const { client, sessionId, runId } = await startCall('paint it', 'fresh__paint');
  const { data } = await client.waitFor('clarify_request', event => event.runId === runId);
  expect(data.question).toContain('Which colour do you want?');
  await client.send({ type: 'clarify_response', sessionId, requestId: data.requestId, answer: 'blue' });
  await client.endOf(runId);
  expect(toldOf('paint it')).toContain('painting: {"kind":"elicit","action":"accept","content":{"colour":"blue"}}');
});

it('tells the model what the server answered', async () => {
  const { client, runId } = await startCall('let it fail', 'fresh__fail');
  await client.endOf(runId);
  expect(toldOf('let it fail')).toContain('it does not work');
});

it('closes the connection of a call that is cancelled', async () => {
  const { client, runId } = await startCall('hang on', 'fresh__hang');
  await until(
    async () => server.seen.filter(method => method === 'tools/call').length,
    calls => calls >= 5,
  );
  await client.send({ type: 'cancel', runId });
  await server.left;
  expect((await listServers(bench.rest))['fresh']?.state).toBe('connected');
});

it('sends an argument as a header too, where the tool says so', async () => {
  const { client, runId } = await startCall('route it', 'fresh__route', { region: 'eu' });
  await client.endOf(runId);
  expect(toldOf('route it')).toContain('here');
  expect(server.regions).toEqual(['eu']);
});

it('follows a task to its end, and asks the person what it requires', async () => {
  const { client, sessionId, runId } = await startCall('do it later', 'fresh__later');
  const { data } = await client.waitFor('clarify_request', event => event.runId === runId);
  await client.send({ type: 'clarify_response', sessionId, requestId: data.requestId, answer: 'red' });
  await client.endOf(runId);
  expect(toldOf('do it later')).toContain('later: {"action":"accept","content":{"colour":"red"}}');
});

it('cancels the task of a run that is cancelled', async () => {
  const { client, runId } = await startCall('never end it', 'fresh__endless');
  await until(
    async () => server.seen.filter(method => method === 'tasks/get').length,
    count => count > 3,
  );
  await client.send({ type: 'cancel', runId });
  expect(await server.cancelled).toBe('task-endless');
});

it('takes a tool that the server adds', async () => {
  server.addTool('extra');
  await waitForServers(bench.rest, ({ fresh }) => fresh?.tools.includes('fresh__extra') === true);
});
