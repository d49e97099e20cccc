/** A gateway that reaches other servers through a proxy alone: the proxy is used by each door to the outside, and named when it fails. */

import { type Gateway, startGateway } from '../support/gateway';
import { startHttpProxy, type TestProxy } from '../support/http_proxy';
import { createMcpConfig, type HttpServer, type McpConfig, startEverything, waitForServers } from '../support/mcp_servers';
import { type MockModel, startMockModel } from '../support/mock_model';
import { createRestClient } from '../support/rest_client';
import { type Site, startSite } from '../support/site';
import { until } from '../support/until';

let model: MockModel;
let proxy: TestProxy;
let gateway: Gateway;
let site: Site;
let mcpServer: HttpServer;
let config: McpConfig;

const modelPort = () => Number(new URL(model.baseUrl).port);

beforeAll(async () => {
  model = await startMockModel();
  [site, mcpServer] = await Promise.all([startSite(), startEverything('streamableHttp')]);
  const sitePort = Number(new URL(site.url('/')).port);
  proxy = await startHttpProxy({ '93.184.216.34:80': sitePort, 'tools.corp.invalid:9000': mcpServer.port, '*': modelPort() });
  config = await createMcpConfig({ far: { url: 'http://tools.corp.invalid:9000/mcp' } }, ['web', 'far']);
  gateway = await startGateway({
    env: {
      NETA_CONFIG_DIR: config.directory,
      OPENAI_BASE_URL: 'http://model.corp.invalid:8000/v1?api-version=2024-10-21',
      OPENAI_API_KEY: 'k-12345678',
      NETA_OTLP_ENDPOINT: 'http://traces.corp.invalid:4318',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      HTTP_PROXY: proxy.url.replace('//', '//me:secret-word@'),
      NODE_USE_ENV_PROXY: '1',
    },
  });
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([proxy?.stop(), model?.stop(), site?.stop(), mcpServer?.stop(), config?.remove()]);
});

const run = async (input: string) => (await createRestClient(gateway.url).run({ input })).body;
const readyz = async () => (await (await fetch(`${gateway.url}/readyz`)).json()) as { warnings: string[] };

test('calls, probes and traces go through the proxy, with the query of the base URL', async () => {
  model.onTurn('hello', 'through the proxy');
  expect(await run('hello')).toMatchObject({ status: 'completed', text: 'through the proxy' });
  expect(proxy.seen).toContain('POST http://model.corp.invalid:8000/v1/chat/completions?api-version=2024-10-21');
  await until(() => proxy.seen.includes('GET http://model.corp.invalid:8000/v1/models?api-version=2024-10-21'));
  await until(() => proxy.seen.includes('POST http://traces.corp.invalid:4318/v1/traces'));
});

test('an MCP server and a web page are reached through the proxy; the page by the address that was checked here', async () => {
  const rest = createRestClient(gateway.url);
  await waitForServers(rest, ({ far }) => far?.state === 'connected');
  const call = async (toolName: string, parameters: object) =>
    JSON.stringify((await rest.request('POST', '/tools/call', { toolName, parameters })).body);
  expect(await call('far__echo', { message: 'out there' })).toContain('Echo: out there');
  expect(await call('fetch_page', { url: 'http://93.184.216.34/article' })).toContain('Lighthouse log');
  expect(proxy.seen).toContain('CONNECT 93.184.216.34:80');
  expect(proxy.seen.some(line => line.includes('tools.corp.invalid:9000'))).toBe(true);
});

test('the log names the proxy once, without its password', () => {
  const lines = gateway
    .output()
    .split('\n')
    .filter(line => line.includes('go through the proxy'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`${proxy.name} (HTTP_PROXY)`);
  expect(gateway.output()).not.toContain('secret-word');
});

test('a proxy that refuses is named in the error of the run', async () => {
  proxy.answerWith(407);
  const refusal = await run('again');
  expect(refusal).toMatchObject({ status: 'failed', error: { code: 'model_unreachable' } });
  expect(refusal.error?.message).toBe(`The proxy ${proxy.name} does not accept the user and the password (HTTP 407): check HTTP_PROXY.`);
  proxy.answerWith(undefined);
});

test('a proxy that is not there is named by /readyz, and a variable that cannot be used too; this machine is reached directly', async () => {
  await gateway.restart({ HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'socks5://127.0.0.1:9' });
  await until(async () => (await readyz()).warnings.some(text => text.includes('The proxy http://127.0.0.1:9 cannot be reached')));
  expect((await readyz()).warnings.join(' ')).toContain('HTTPS_PROXY is not used: expected the address of an HTTP proxy');
  await gateway.restart({ HTTP_PROXY: 'http://127.0.0.1:9', OPENAI_BASE_URL: model.baseUrl, NETA_OTLP_ENDPOINT: '' });
  expect(await run('hello')).toMatchObject({ status: 'completed' });
});
