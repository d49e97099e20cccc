/** The app of an MCP server's tool on the chat page: it learns of its call, and has no rights on the page. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AppMcpServer, startAppServer } from '../support/app_mcp_server';
import { createMcpConfig, type McpConfig, waitForServers } from '../support/mcp_servers';
import { until } from '../support/until';
import { byTestId, type ChatBrowser, startChatBrowser, turn } from './chat_browser';

/** Says what it learns, asks for what the buttons say, and writes each answer down. */
const HTML = `<!doctype html><html><body style="font:16px sans-serif;margin:16px">
<h3 id="title">Weather</h3><p id="seen"></p>
<button id="link">Forecast</button> <button id="call">Refresh</button> <button id="bad">Script</button><button id="say">say</button>
<pre id="answers"></pre>
<script>
  let id = 0;
  const send = message => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const ask = (method, params) => send({ id: ++id, method, params });
  const seen = {};
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data.jsonrpc !== '2.0') return;
    if (data.id === 1 && data.result) {
      seen.host = data.result.protocolVersion + ' ' + data.result.hostContext.displayMode;
      send({ method: 'ui/notifications/initialized', params: {} });
      send({ method: 'ui/notifications/size-changed', params: { width: 600, height: 333 } });
    } else if (data.method === 'ui/notifications/tool-input') seen.city = data.params.arguments.city;
    else if (data.method === 'ui/notifications/tool-result') seen.degrees = data.params.structuredContent.degrees;
    else answers.textContent += JSON.stringify(data.error ? data.error.code : data.result) + '\\n';
    document.getElementById('seen').textContent = [seen.host, seen.city, seen.degrees].join(', ');
  });
  link.onclick = () => ask('ui/open-link', { url: 'http://127.0.0.1:9/forecast' });
  call.onclick = () => ask('tools/call', { name: 'plain', arguments: {} });
  say.onclick = () => ask('ui/message', { role: 'user', content: [{ type: 'text', text: 'And tomorrow?' }] });
  bad.onclick = () => ask('ui/open-link', { url: 'javascript:alert(1)' });
  ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'weather', version: '1' }, appCapabilities: {} });
</script></body></html>`;

let server: AppMcpServer;
let config: McpConfig;
let bench: AgentBench;
let browser: ChatBrowser;

beforeAll(async () => {
  server = await startAppServer(HTML);
  config = await createMcpConfig({ weather: { url: server.url } });
  [bench, browser] = await Promise.all([startBench({ env: { NETA_CONFIG_DIR: config.directory } }), startChatBrowser()]);
  await waitForServers(bench.rest, ({ weather }) => weather?.state === 'connected');
}, 120_000);
afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
  await Promise.all([config?.remove(), server?.stop()]);
});

it('shows the app of a call in a frame without rights, and asks before a link opens', async () => {
  bench.model.onTurn('the weather', { toolCalls: [{ name: 'weather__show_weather', arguments: { city: 'Lisbon' } }] }, 'It is warm.');
  const { page, context, complaints, say } = await browser.open({ url: bench.gateway.url });
  await say('the weather');
  await page.waitForSelector(turn('completed'));
  const frame = page.frameLocator(byTestId('mcp-app'));
  await frame.locator('#seen:has-text("2026-01-26 inline, Lisbon, 21")').waitFor();
  await until(async () => (await page.locator(byTestId('mcp-app')).boundingBox())?.height === 333);

  const rights = await frame.locator('body').evaluate(async () => ({
    origin,
    network: await fetch('/api/v1/sessions').then(
      () => 'open',
      () => 'refused',
    ),
    page: (() => {
      try {
        return String(parent.document.title);
      } catch {
        return 'refused';
      }
    })(),
  }));
  expect(rights).toEqual({ origin: 'null', network: 'refused', page: 'refused' });

  const answers = frame.locator('#answers');
  const answered = (text: string) => until(async () => (await answers.textContent()) === text);
  await frame.locator('#call').click();
  await answered('-32601\n');
  await frame.locator('#bad').click();
  await answered('-32601\n-32602\n');
  await frame.locator('#link').click();
  expect(await page.locator(byTestId('confirm-dialog')).textContent()).toContain('http://127.0.0.1:9/forecast');
  await page.keyboard.press('Escape');
  await answered('-32601\n-32602\n-32000\n');
  await frame.locator('#link').click();
  const [opened] = await Promise.all([context.waitForEvent('page'), page.click(byTestId('confirm'))]);
  await answered('-32601\n-32602\n-32000\n{}\n');
  await opened.close();

  await frame.locator('#say').click();
  await answered('-32601\n-32602\n-32000\n{}\n{}\n');
  expect(await page.inputValue('#composer')).toBe('And tomorrow?');
  await frame.locator('#say').click();
  await answered('-32601\n-32602\n-32000\n{}\n{}\n-32000\n');
  expect(bench.model.requests('And tomorrow').length).toBe(0);
  expect(complaints.filter(text => !text.includes('/api/v1/sessions'))).toEqual([]);

  await page.reload();
  await frame.locator('#seen:has-text("Lisbon, 21")').waitFor();
}, 60_000);
