/** Apps of MCP servers (MCP Apps, SEP-1865): which pages the gateway reads, and for whom. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { APP_URI, type AppMcpServer, startAppServer } from '../support/app_mcp_server';
import { createMcpConfig, listServers, type McpConfig, waitForServers } from '../support/mcp_servers';

const HTML = '<!doctype html><p>The weather.</p>';

let server: AppMcpServer;
let config: McpConfig;
let bench: AgentBench;

beforeAll(async () => {
  server = await startAppServer(HTML);
  config = await createMcpConfig({
    weather: { url: server.url },
    denied: { url: server.url, allow: ['plain'] },
    others: { url: server.url, tenants: ['acme'] },
  });
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory } });
  await waitForServers(bench.rest, rows => rows['weather']?.state === 'connected' && rows['denied']?.state === 'connected');
}, 60_000);
afterAll(async () => {
  await bench?.stop();
  await Promise.all([config?.remove(), server?.stop()]);
});

const read = (name: string, uri: string) =>
  bench.rest.request<{ html?: string; error?: { code: string; message: string; param?: string } }>(
    'GET',
    `/mcp-servers/${name}/app?uri=${encodeURIComponent(uri)}`,
  );

it('tells the server that it shows apps', () => {
  expect(server.capabilities[0]?.['extensions']).toEqual({ 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } });
});

it('reads the page that a tool names', async () => {
  expect(await read('weather', APP_URI)).toMatchObject({ status: 200, body: { html: HTML } });
});

it('does not offer a tool that is for apps alone', async () => {
  const { weather } = await listServers(bench.rest);
  expect(weather?.tools).toContain('weather__show_weather');
  expect(weather?.tools).not.toContain('weather__refresh_app');
});

it.each([
  ['an address that no tool names', 'weather', 'ui://weather/other.html', 'names this app'],
  ['the app of a tool that the operator does not allow', 'denied', APP_URI, 'names this app'],
  ['a page of another type', 'weather', 'ui://weather/plain.html', 'no resource of the type'],
  ['a page that is too large', 'weather', 'ui://weather/large.html', 'larger than 4 MiB'],
  ['a server of other tenants', 'others', APP_URI, 'no MCP server'],
])('answers 404 for %s', async (_what, name, uri, message) => {
  const { status, body } = await read(name, uri);
  expect(status).toBe(404);
  expect(body.error?.message).toContain(message);
});

it('refuses an address that is not ui://, also when a tool names it', async () => {
  const { status, body } = await read('weather', 'file:///etc/passwd');
  expect([status, body.error?.param]).toEqual([400, '/uri']);
});

it.each(['show_weather', 'old_form'])('names the app and its result in the event of a call of %s', async tool => {
  bench.model.onTurn(`call ${tool}`, { toolCalls: [{ name: `weather__${tool}`, arguments: { city: 'Lisbon' } }] }, 'done');
  const client = await bench.connect();
  const { runId } = await client.chat(`call ${tool}`);
  const end = await client.waitFor('tool_call_end', event => event.runId === runId);
  expect(end.data).toMatchObject({
    details: {
      server: 'weather',
      app: { uri: APP_URI, result: { content: [{ type: 'text', text: 'It is 21 degrees.' }], structuredContent: { degrees: 21 } } },
    },
  });
});
