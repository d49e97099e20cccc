/** Redirects of MCP servers, over real HTTP. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBoundedFetch } from '../../../src/adapter/mcp/http_transport';
import { OAuthLogins } from '../../../src/adapter/mcp/oauth_logins';

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server that redirects to `location`, and one that counts its requests. */
async function startRedirect(status: number) {
  const seen: { method?: string | undefined; key: unknown }[] = [];
  const internal = await listen((request, response) => {
    seen.push({ method: request.method, key: request.headers['x-api-key'] });
    response.end('secret');
  });
  const origin = await listen((_request, response) => void response.writeHead(status, { location: `${internal}/internal` }).end());
  return { origin, seen };
}

it.each([301, 302, 303, 307, 308])('does not follow a redirect (%i) to another origin', async status => {
  const { origin, seen } = await startRedirect(status);
  const attempt = createBoundedFetch(origin)(origin, { method: 'POST', headers: { 'x-api-key': 'k' }, body: '{}' });
  await expect(attempt).rejects.toThrow('Redirects to another origin are not followed');
  expect(seen).toEqual([]);
});

it('begins no login at another address to which the server redirects', async () => {
  const { origin, seen } = await startRedirect(307);
  const logins = new OAuthLogins({ redactor: { setSecrets: () => {} }, allow: [] });
  const target = { kind: 'http' as const, url: `${origin}/mcp`, headers: { 'x-api-key': 'k' }, secrets: [], login: {} };
  await expect(logins.begin(target, { redirectUrl: 'https://gateway.example/back', state: 's' })).rejects.toThrow('another origin');
  expect(seen).toEqual([]);
});

it('follows a redirect at the origin, and gives up in a loop', async () => {
  const seen: string[] = [];
  const origin = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(`${request.method} ${request.url} ${body}`);
    if (request.url === '/mcp') return void response.writeHead(307, { location: '/mcp/' }).end();
    if (request.url === '/form') return void response.writeHead(303, { location: 'done' }).end();
    if (request.url === '/loop') return void response.writeHead(308, { location: '/loop' }).end();
    response.end('here');
  });
  const send = createBoundedFetch(origin);
  expect(await (await send(`${origin}/mcp`, { method: 'POST', body: '{}' })).text()).toBe('here');
  expect(await (await send(`${origin}/form`, { method: 'POST', body: '{}' })).text()).toBe('here');
  expect(seen).toEqual(['POST /mcp {}', 'POST /mcp/ {}', 'POST /form {}', 'GET /done ']);
  await expect(send(`${origin}/loop`)).rejects.toThrow('more than 5 times');
});
