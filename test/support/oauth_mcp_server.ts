/**
 * An MCP server that needs a login, and its authorization server: metadata, dynamic registration, the page of the login, tokens with PKCE and a
 * refresh that replaces the refresh token.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type StatelessMcpServer, startStatelessServer } from './stateless_mcp_server';

export interface OAuthMcpServer {
  /** Address of the MCP server. */
  readonly url: string;
  readonly registered: { client_id: string; redirect_uris: string[] }[];
  /** grant_type of each request for tokens, oldest first. */
  readonly grants: string[];
  /** Ends all access tokens; refresh tokens still count. */
  expireTokens(): void;
  /** Returns a new access token. */
  giveToken(): string;
  /** Ends all tokens. */
  revokeAll(): void;
  /** Requests for tokens are refused with this code of OAuth; undefined: no longer. */
  refuseTokens(error: string | undefined): void;
  /** From now on calls of tools need this scope; undefined: no longer. */
  demandScope(scope: string | undefined): void;
  /** Forgets all clients that have registered. */
  forgetClients(): void;
  /** From now on the MCP server names another authorization server. */
  nameAuthorizationServer(issuer: string): void;
  /** The refresh tokens that still count. */
  readonly refreshTokens: ReadonlySet<string>;
  stop(): Promise<void>;
}

const CLIENT = 'client-of-the-operator';

export async function startOAuthServer(): Promise<OAuthMcpServer> {
  const inner: StatelessMcpServer = await startStatelessServer();
  const registered: OAuthMcpServer['registered'] = [];
  const grants: string[] = [];
  const clients = new Set([CLIENT]);
  const codes = new Map<string, { challenge: string; redirectUri: string; scope: string }>();
  /** Access tokens with their scopes. */
  const access = new Map<string, string>();
  const refresh = new Set<string>();
  let origin = '';
  let named: string | undefined;
  let refusal: string | undefined;
  let demanded: string | undefined;

  const json = (response: ServerResponse, body: object, status = 200) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const giveTokens = (response: ServerResponse, scope = '') => {
    const tokens = { access_token: randomUUID(), refresh_token: randomUUID(), token_type: 'Bearer', expires_in: 3_600 };
    access.set(tokens.access_token, scope);
    refresh.add(tokens.refresh_token);
    json(response, tokens);
  };
  const answerToken = (form: URLSearchParams, response: ServerResponse) => {
    grants.push(form.get('grant_type') ?? '');
    if (refusal !== undefined) return json(response, { error: refusal }, 401);
    if (form.get('grant_type') === 'refresh_token') {
      const token = form.get('refresh_token') ?? '';
      // A careless server repeats the token.
      return refresh.delete(token)
        ? giveTokens(response)
        : json(response, { error: 'invalid_grant', error_description: `no ${token}` }, 400);
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      code && code.challenge === challenge && code.redirectUri === form.get('redirect_uri') && clients.has(form.get('client_id') ?? '');
    return isRight ? giveTokens(response, code.scope) : json(response, { error: 'invalid_grant' }, 400);
  };
  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    const redirectUri = query.get('redirect_uri') ?? '';
    const scope = query.get('scope') ?? '';
    const isRight = query.get('code_challenge_method') === 'S256' && query.get('resource') === origin && scope.startsWith('read write');
    if (!clients.has(query.get('client_id') ?? '') || !isRight) return void response.writeHead(400).end();
    const code = randomUUID();
    codes.set(code, { challenge: query.get('code_challenge') ?? '', redirectUri, scope });
    const back = new URL(redirectUri);
    back.search = String(new URLSearchParams({ code, state: query.get('state') ?? '', iss: origin }));
    response.writeHead(302, { location: back.href }).end();
  };
  const forward = async (request: IncomingMessage, response: ServerResponse, body: string) => {
    // Some servers without sessions refuse the handshake of older versions before they ask for a login.
    if (body.includes('"method":"initialize"')) return void response.writeHead(400).end();
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!access.has(token)) {
      const challenge = `Bearer resource_metadata="${origin}/resource.json", scope="read write"`;
      return void response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    const lacks = demanded !== undefined && !access.get(token)?.split(' ').includes(demanded);
    if (lacks && body.includes('"method":"tools/call"'))
      return void response
        .writeHead(403, {
          'www-authenticate': `Bearer error="insufficient_scope", scope="${demanded}", resource_metadata="${origin}/resource.json"`,
        })
        .end();
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => /^(content-type|accept|mcp-)/.test(name)));
    const answer = await fetch(inner.url, { method: 'POST', headers: headers as Record<string, string>, body });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    for await (const part of answer.body ?? []) response.write(part);
    response.end();
  };

  const http = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (pathname === '/mcp' && request.method === 'GET') return void response.writeHead(405).end();
    if (pathname === '/mcp') return void forward(request, response, body).catch(() => response.destroy());
    // Only the challenge names this address.
    if (pathname === '/resource.json')
      return json(response, { resource: origin, scopes_supported: ['read'], authorization_servers: [named ?? origin] });
    if (pathname.startsWith('/.well-known/oauth-authorization-server'))
      return json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        revocation_endpoint: `${origin}/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    if (pathname === '/register') {
      const client = { ...JSON.parse(body), client_id: randomUUID() };
      registered.push(client);
      clients.add(client.client_id);
      return json(response, client, 201);
    }
    if (pathname === '/revoke') {
      const token = new URLSearchParams(body).get('token') ?? '';
      const isKnown = clients.has(new URLSearchParams(body).get('client_id') ?? '');
      if (isKnown) for (const kind of [access, refresh]) kind.delete(token);
      return void response.writeHead(isKnown ? 200 : 401).end();
    }
    if (pathname === '/token') return answerToken(new URLSearchParams(body), response);
    if (pathname === '/authorize') return authorize(searchParams, response);
    response.writeHead(404).end();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    registered,
    grants,
    refreshTokens: refresh,
    nameAuthorizationServer(issuer) {
      named = issuer;
    },
    refuseTokens(error) {
      refusal = error;
    },
    demandScope(scope) {
      demanded = scope;
    },
    forgetClients() {
      for (const { client_id } of registered) clients.delete(client_id);
    },
    giveToken() {
      const token = randomUUID();
      access.set(token, '');
      return token;
    },
    expireTokens: () => access.clear(),
    revokeAll() {
      access.clear();
      refresh.clear();
    },
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
      await inner.stop();
    },
  };
}
