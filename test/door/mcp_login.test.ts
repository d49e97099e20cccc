/** Logins at MCP servers by OAuth: registration, PKCE, the way back, encrypted and refreshed tokens, against a real authorization server. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { createMcpConfig, listServers, type McpConfig, waitForServers } from '../support/mcp_servers';
import { type OAuthMcpServer, startOAuthServer } from '../support/oauth_mcp_server';

let bench: AgentBench;
let config: McpConfig;
let server: OAuthMcpServer;
/** Another authorization server. */
let other: OAuthMcpServer;

beforeAll(async () => {
  [server, other] = await Promise.all([startOAuthServer(), startOAuthServer()]);
  config = await createMcpConfig({
    tracker: { url: server.url, oauth: true },
    known: { url: server.url, oauth: { clientId: 'client-of-the-operator' } },
  });
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory } });
  await waitForServers(bench.rest, ({ tracker, known }) => tracker?.state === 'failed' && known?.state === 'failed');
}, 120_000);
afterAll(async () => {
  await bench?.stop();
  await Promise.all([config?.remove(), server?.stop(), other?.stop()]);
});

const redirectUrl = () => `${bench.gateway.url}/api/v1/mcp-servers/callback`;
const begin = (name: string, to = redirectUrl()) =>
  bench.rest.request<{ url: string; error?: { param: string } }>('POST', `/mcp-servers/${name}/login`, { redirectUrl: to });

/** Logs in as the browser of a person does. */
async function logIn(name: string): Promise<Response> {
  const { body } = await begin(name);
  return fetch(body.url);
}
async function callWhere(text: string): Promise<string> {
  bench.model.onTurn(text, { toolCalls: [{ name: 'tracker__where', arguments: {} }] }, 'done');
  await bench.rest.request('POST', '/runs', { input: text });
  return bench.model.requests(text).at(-1)?.toolResults.at(-1) ?? '';
}

it('says that a server needs a login, and registers nowhere before', async () => {
  const { tracker } = await listServers(bench.rest);
  expect(tracker).toMatchObject({ hasLogin: true, needsLogin: true, error: expect.stringContaining('needs a login') });
  expect(server.registered).toEqual([]);
});

it('logs in: the gateway registers itself, comes back with the code, and uses the tools', async () => {
  const answer = await logIn('tracker');
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"tracker"')]);
  await waitForServers(bench.rest, ({ tracker }) => tracker?.state === 'connected');
  expect(server.registered).toMatchObject([{ redirect_uris: [redirectUrl()] }]);
  expect(await callWhere('where is it')).toContain('here');
});

it('ASVS 2.10.4: encrypts the tokens with a key that only its owner can read, and shows them nowhere', async () => {
  const { dataDir } = bench.gateway;
  expect((await stat(join(dataDir, 'secret.key'))).mode & 0o077).toBe(0);
  const [token = ''] = server.refreshTokens;
  expect(token).toMatch(/^.{36}$/);
  const files = (await readdir(dataDir)).filter(name => /^(neta\.db|secrets)/.test(name));
  const texts = await Promise.all(files.map(name => readFile(join(dataDir, name), 'latin1')));
  expect(texts.filter(text => text.includes(token))).toEqual([]);
  expect(JSON.stringify(await listServers(bench.rest))).not.toContain(token);
});

it('writes to the audit log who logged the gateway in', async () => {
  const { body } = await bench.rest.request<{ data: object[] }>('GET', '/audit?action=mcp.login');
  expect(body.data).toMatchObject([{ actor: 'local', target: 'tracker' }]);
});

it('refreshes a token that has ended, during a call', async () => {
  server.expireTokens();
  expect(await callWhere('where is it now')).toContain('here');
  expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
});

it('asks for the scope that a call needs at the next login, and keeps the earlier ones', async () => {
  server.demandScope('delete');
  const told = await callWhere('delete it');
  expect(told).toContain('needs more rights (delete)');
  const { tracker } = await listServers(bench.rest);
  expect(tracker).toMatchObject({ state: 'connected', needsLogin: true });
  expect(tracker?.problems).toContainEqual(expect.stringContaining('needs more rights (delete)'));
  const { body } = await begin('tracker');
  expect(new URL(body.url).searchParams.get('scope')).toBe('read write delete');
  await fetch(body.url);
  await waitForServers(bench.rest, rows => rows['tracker']?.state === 'connected' && !rows['tracker'].needsLogin);
  expect(await callWhere('delete it again')).toContain('here');
  server.demandScope(undefined);
});

it('connects with the stored tokens after a restart', async () => {
  await bench.gateway.kill();
  const before = server.grants.length;
  await bench.gateway.restart();
  await waitForServers(bench.rest, ({ tracker }) => tracker?.state === 'connected');
  expect(server.grants).toHaveLength(before);
}, 30_000);

it('uses the client that the operator has registered', async () => {
  expect((await logIn('known')).status).toBe(200);
  await waitForServers(bench.rest, ({ known }) => known?.state === 'connected');
  expect(server.registered).toHaveLength(1);
});

it('needs a new login when the refresh is refused', async () => {
  const [token = ''] = server.refreshTokens;
  server.revokeAll();
  expect(await callWhere('where is it at last')).toContain('login');
  expect(bench.gateway.output()).not.toContain(token);
  const tries = server.grants.length;
  await bench.rest.request('POST', '/mcp-servers/tracker/reconnect');
  // The refresh token is forgotten, so it is not sent again and again.
  expect(server.grants).toHaveLength(tries);
  expect((await logIn('tracker')).status).toBe(200);
  await waitForServers(bench.rest, ({ tracker }) => tracker?.state === 'connected');
});

it('registers anew where the server has forgotten its client, at the refresh and at the code', async () => {
  const before = server.registered.length;
  server.forgetClients();
  server.revokeAll();
  await bench.rest.request('POST', '/mcp-servers/tracker/reconnect');
  expect((await logIn('tracker')).status).toBe(200);
  expect(server.registered).toHaveLength(before + 1);
  server.refuseTokens('invalid_client');
  expect((await logIn('tracker')).status).toBe(400);
  server.refuseTokens(undefined);
  expect((await logIn('tracker')).status).toBe(200);
  expect(server.registered).toHaveLength(before + 2);
});

it('keeps the tokens of the client of the operator while the client is refused', async () => {
  expect((await logIn('known')).status).toBe(200);
  await waitForServers(bench.rest, ({ known }) => known?.state === 'connected');
  server.expireTokens();
  server.refuseTokens('invalid_client');
  await bench.rest.request('POST', '/mcp-servers/known/reconnect');
  expect((await listServers(bench.rest))['known']?.state).toBe('failed');
  server.refuseTokens(undefined);
  await bench.rest.request('POST', '/mcp-servers/known/reconnect');
  expect((await listServers(bench.rest))['known']?.state).toBe('connected');
});

it('ASVS 3.5.1: logs out: the tokens are revoked and forgotten, and the next login begins anew', async () => {
  await logIn('tracker');
  await waitForServers(bench.rest, ({ tracker }) => tracker?.state === 'connected');
  const before = server.refreshTokens.size;
  const logout = () => bench.rest.request('DELETE', '/mcp-servers/tracker/login');
  expect((await logout()).body).toMatchObject({ name: 'tracker', state: 'failed', needsLogin: true });
  expect(server.refreshTokens.size).toBe(before - 1);
  const { body } = await bench.rest.request<{ data: object[] }>('GET', '/audit?action=mcp.logout');
  expect(body.data).toMatchObject([{ target: 'tracker', details: { revoked: true } }]);
  expect((await logout()).status).toBe(404);
  await logIn('tracker');
  await waitForServers(bench.rest, ({ tracker }) => tracker?.state === 'connected');
});

it('refuses a state that it has not given, and one that was used', async () => {
  const { body } = await begin('tracker');
  const first = await fetch(body.url);
  expect(first.status).toBe(200);
  const used = await fetch(first.url);
  const forged = await fetch(`${redirectUrl()}?code=x&state=forged`);
  expect([used.status, forged.status]).toEqual([404, 404]);
  expect((await fetch(`${redirectUrl()}?error=access_denied&state=x`)).status).toBe(400);
});

it.each([
  'https://evil.example/steal',
  'http://evil.example/api/v1/mcp-servers/callback',
  'https://evil.example/api/v1/mcp-servers/callback',
])('refuses to come back to %s', async to => {
  expect(await begin('tracker', to)).toMatchObject({ status: 400, body: { error: { param: '/redirectUrl' } } });
});

it('sends the code to the authorization server at which the login began, and the client of the operator to no other one', async () => {
  const begun = await Promise.all([begin('tracker'), begin('known')]);
  const before = server.grants.length;
  server.nameAuthorizationServer(new URL(other.url).origin);
  try {
    for (const { body } of begun) expect((await fetch(body.url)).status).toBe(200);
    expect(server.grants).toHaveLength(before + 2);
    expect(await begin('known')).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('oauth.issuer') } } });
    // A gateway that registers itself gets a client at the new server.
    expect((await begin('tracker')).status).toBe(200);
    expect([other.registered.length, other.grants]).toEqual([1, []]);
  } finally {
    server.nameAuthorizationServer(new URL(server.url).origin);
  }
});

it('takes over tokens that an earlier version kept in plain text', async () => {
  expect((await logIn('tracker')).status).toBe(200);
  const access_token = server.giveToken();
  const place = await createMcpConfig({ moved: { url: server.url, oauth: true } });
  const later = await startBench({ env: { NETA_CONFIG_DIR: place.directory } });
  try {
    await waitForServers(later.rest, ({ moved }) => moved?.state === 'failed');
    const file = join(later.gateway.dataDir, 'secrets.yaml');
    await writeFile(file, JSON.stringify({ mcp_login_moved: JSON.stringify({ url: server.url, tokens: { access_token } }) }));
    await later.rest.request('POST', '/mcp-servers/moved/reconnect');
    expect((await listServers(later.rest))['moved']?.state).toBe('connected');
    expect(await readFile(file, 'utf8')).not.toContain(access_token);
  } finally {
    await later.stop();
    await place.remove();
  }
}, 60_000);

it('lets operators and the only tenant of a server log in and reconnect, and no tenant that shares it', async () => {
  const [root, ops, acme] = ['key-of-root-0123456789', 'key-of-ops-0123456789', 'key-of-acme-0123456789'];
  const oauth = { url: server.url, oauth: true };
  const shared = await createMcpConfig({
    all: oauth,
    two: { ...oauth, tenants: ['acme', 'globex'] },
    own: { ...oauth, tenants: ['acme'] },
  });
  const keys = `root:${root}:default:ops:write+admin,ops:${ops}:default:ops:write,acme-ops:${acme}:acme:ops:write`;
  const tenants = await startBench({ env: { NETA_CONFIG_DIR: shared.directory, NETA_API_KEYS: keys } });
  try {
    const to = `${tenants.gateway.url}/api/v1/mcp-servers/callback`;
    const statusOf = async (name: string, key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const login = await tenants.rest.request('POST', `/mcp-servers/${name}/login`, { redirectUrl: to }, headers);
      const reconnect = await tenants.rest.request('POST', `/mcp-servers/${name}/reconnect`, undefined, headers);
      return [login.status, reconnect.status];
    };
    for (const [name, key] of [
      ['all', acme],
      ['two', acme],
      ['all', ops],
    ] as const)
      expect(await statusOf(name, key)).toEqual([403, 403]);
    for (const [name, key] of [
      ['own', acme],
      ['all', root],
    ] as const)
      expect(await statusOf(name, key)).toEqual([200, 200]);
  } finally {
    await tenants.stop();
    await shared.remove();
  }
}, 60_000);
