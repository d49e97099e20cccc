/** Connect on the operator pages: a person logs the gateway in at an MCP server. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { createMcpConfig, type McpConfig, waitForServers } from '../support/mcp_servers';
import { type OAuthMcpServer, startOAuthServer } from '../support/oauth_mcp_server';
import { byTestId } from './chat_browser';
import { type OpsBrowser, startOpsBrowser } from './ops_browser';

let server: OAuthMcpServer;
let config: McpConfig;
let bench: AgentBench;
let browser: OpsBrowser;

beforeAll(async () => {
  server = await startOAuthServer();
  config = await createMcpConfig({ tracker: { url: server.url, oauth: true } });
  [bench, browser] = await Promise.all([startBench({ env: { NETA_CONFIG_DIR: config.directory } }), startOpsBrowser()]);
  await waitForServers(bench.rest, ({ tracker }) => tracker?.state === 'failed');
}, 120_000);
afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
  await Promise.all([config?.remove(), server?.stop()]);
});

it('opens the page of the server, comes back, and shows the server as connected', async () => {
  const { page, context, complaints, findBarriers } = await browser.open(`${bench.gateway.url}/ops/tools`);
  await page.waitForSelector(byTestId('mcp-login'));
  expect(await findBarriers()).toEqual([]);
  const [login] = await Promise.all([context.waitForEvent('page'), page.click(byTestId('mcp-login'))]);
  await login.waitForURL(/\/mcp-servers\/callback/);
  expect(await login.textContent('body')).toContain('logged in at the MCP server "tracker"');
  await page.waitForSelector(`${byTestId('mcp-servers-row')}[data-state="connected"]`);
  expect(await page.locator(byTestId('mcp-login')).count()).toBe(0);
  await page.click(byTestId('mcp-logout'));
  await page.waitForSelector(byTestId('mcp-login'));
  expect(server.refreshTokens.size).toBe(0);
  expect(complaints).toEqual([]);
}, 60_000);
