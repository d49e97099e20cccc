import { createOAuthFetch } from '../../../src/adapter/mcp/oauth_fetch';

const publicHost = async (_host: string) => [{ address: '93.184.215.14', family: 4 }];
const privateHost = async () => [{ address: '10.0.0.7', family: 4 }];
/** Answers where a request went. */
const send = async (url: string | URL) => new Response(String(url));
const fetchFrom = (server: string, { allow = [] as string[], resolve = publicHost, issuer = undefined as string | undefined } = {}) =>
  createOAuthFetch({ server: new URL(server), issuer, send, allow, resolve });

it.each(['http://127.0.0.1:8080/.well-known/openid-configuration', 'http://169.254.169.254/latest/meta-data', 'https://[::1]/token'])(
  'refuses %s when a public MCP server names it',
  async url => {
    await expect(fetchFrom('https://mcp.example.com/mcp')(url)).rejects.toMatchObject({ name: 'McpError', kind: 'unsent' });
  },
);

it('refuses a name that leads to a private address', async () => {
  const resolve = async (host: string) => (host === 'mcp.example.com' ? publicHost(host) : privateHost());
  const attempt = fetchFrom('https://mcp.example.com/mcp', { resolve })('https://login.example.com/token', { method: 'POST' });
  await expect(attempt).rejects.toThrow('not public');
});

it('sends requests to the MCP server itself as any other', async () => {
  const answer = await fetchFrom('https://mcp.example.com/mcp')('https://mcp.example.com/.well-known/oauth-protected-resource');
  expect(await answer.text()).toContain('oauth-protected-resource');
});

it.each(['http://127.0.0.1:9/mcp', 'http://localhost:9/mcp', 'http://10.0.0.7/mcp'])(
  'lets %s, a server of the own network, name another',
  async server => {
    const answer = await fetchFrom(server)('http://10.0.0.8:9090/token');
    expect(await answer.text()).toBe('http://10.0.0.8:9090/token');
  },
);

it('lets a server that the operator allows by name, name another', async () => {
  const fetch = fetchFrom('http://mcp.internal/mcp', { allow: ['mcp.internal:80'] });
  expect((await fetch('http://10.0.0.8:9090/token')).status).toBe(200);
});

it('holds a server to the address rules whose name leads to a private address, also beside public ones', async () => {
  const resolve = async () => [...(await publicHost('')), ...(await privateHost())];
  for (const resolver of [resolve, privateHost]) {
    const attempt = fetchFrom('https://mcp.example.com/mcp', { resolve: resolver })('http://127.0.0.1:8080/token');
    await expect(attempt).rejects.toThrow('oauth.issuer');
  }
});

it('reaches the authorization server that the operator has named, and no other one beside it', async () => {
  const fetch = fetchFrom('https://mcp.example.com/mcp', { resolve: privateHost, issuer: 'http://sso.internal:9090/realm' });
  expect((await fetch('http://sso.internal:9090/token')).status).toBe(200);
  await expect(fetch('http://sso.internal:9091/token')).rejects.toThrow('not allowed');
});
