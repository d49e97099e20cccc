/** A login at an MCP server with two gateways on one Postgres: it ends at either, and both refresh its tokens together. */
import { MODEL_KEY } from '../support/agent_bench';
import { type Gateway, startGateway } from '../support/gateway';
import { createMcpConfig, type McpConfig, waitForServers } from '../support/mcp_servers';
import { type MockModel, startMockModel } from '../support/mock_model';
import { type OAuthMcpServer, startOAuthServer } from '../support/oauth_mcp_server';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../support/postgres_server';
import { createRestClient } from '../support/rest_client';

describeWithPostgres('a login at an MCP server', () => {
  let postgres: PostgresServer;
  let server: OAuthMcpServer;
  let config: McpConfig;
  let model: MockModel;
  let gateways: Gateway[] = [];

  beforeAll(async () => {
    [postgres, server, model] = await Promise.all([startPostgres(), startOAuthServer(), startMockModel()]);
    config = await createMcpConfig({ tracker: { url: server.url, oauth: true } });
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      NETA_CONFIG_DIR: config.directory,
      NETA_SECRET_KEY: 'a secret key of the gateways on this Postgres',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: MODEL_KEY,
    };
    gateways = [await startGateway({ env }), await startGateway({ env })];
  }, 120_000);
  afterAll(async () => {
    await Promise.all(gateways.map(gateway => gateway.stop()));
    await Promise.all([config?.remove(), server?.stop(), model?.stop(), postgres?.stop()]);
  });

  const clients = () => gateways.map(({ url }) => createRestClient(url));
  const reconnect = () => Promise.all(clients().map(rest => rest.request('POST', '/mcp-servers/tracker/reconnect')));

  it('ends at the gateway to which the browser comes, and counts at both', async () => {
    const [first, second] = gateways as [Gateway, Gateway];
    const redirectUrl = `${first.url}/api/v1/mcp-servers/callback`;
    const { body } = await createRestClient(first.url).request<{ url: string }>('POST', '/mcp-servers/tracker/login', { redirectUrl });
    const page = await fetch(body.url, { redirect: 'manual' });
    const back = new URL(page.headers.get('location') ?? '');
    back.port = new URL(second.url).port;
    expect((await fetch(back)).status).toBe(200);
    await reconnect();
    for (const rest of clients()) await waitForServers(rest, ({ tracker }) => tracker?.state === 'connected');
    expect(server.grants).toEqual(['authorization_code']);
  }, 60_000);

  it('is refreshed once for both', async () => {
    server.expireTokens();
    await reconnect();
    for (const rest of clients()) await waitForServers(rest, ({ tracker }) => tracker?.state === 'connected');
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
  }, 60_000);
});
