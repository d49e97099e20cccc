/**
 * Logins at MCP servers by OAuth 2.1: a person lets the gateway in once, and the gateway refreshes its tokens from then on. Finds the authorization
 * server, registers the gateway there unless the operator has done so, and protects the code with PKCE. The functions of the SDK are used one by one:
 * its `auth` finds the authorization server again in each step, and writes to the console.
 */
import type { OAuthClientInformation, OAuthTokens } from '@modelcontextprotocol/client';
import { McpError, type McpLoginAnswer, type McpLoginKeeper, type McpLoginStart } from '../../port/mcp';
import type { Redactor } from '../../port/redactor';
import { inBoth } from '../../utils/bilingual';
import { createRedactor, formsOf } from '../redact';
import { createBoundedFetch, type Fetch, type HttpTarget } from './http_transport';
import { createOAuthFetch } from './oauth_fetch';
import { clientFor, decodeLogin, decodeStep, encodeLogin, type Login, type LoginClient, type LoginServer } from './oauth_record';
import { statelessSdk } from './stateless_sdk';

const NEEDS_LOGIN = inBoth(
  'It needs a login: choose Connect at the server in the operator pages, or POST /api/v1/mcp-servers/{name}/login.',
  '需要登录：请在运维页面的该服务器处选择“登录”，或调用 POST /api/v1/mcp-servers/{name}/login。',
);
/** Refusals of a client. The operator can mend the own one in mcp.yaml; one that the gateway has registered is lost. */
const CLIENT_REFUSED = new Set(['invalid_client', 'unauthorized_client']);
const MAX_WORDS = 300;
const PING = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' });

export interface OAuthLoginsOptions {
  redactor: Pick<Redactor, 'setSecrets'>;
  /** host:port entries that may be reached although they are private. */
  allow: readonly string[];
}

export class OAuthLogins {
  constructor(private readonly options: OAuthLoginsOptions) {}

  /** Returns the fetch for requests to a server: it shows the token at the server's origin alone, and refreshes it when the server refuses it. */
  fetchFor(target: HttpTarget, keeper: McpLoginKeeper, send: Fetch): Fetch {
    const { origin } = new URL(target.url);
    const tokenNow = async () => this.note(keeper, decodeLogin(await keeper.read())?.tokens)?.access_token;
    const show = (token: string | undefined, url: string | URL, init: RequestInit | undefined): Promise<Response> => {
      const headers = new Headers(init?.headers);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      return send(url, { ...init, headers });
    };
    return async (url, init) => {
      if (new URL(url).origin !== origin) return send(url, init);
      const shown = await tokenNow();
      const response = await show(shown, url, init);
      if (response.status !== 401) return response;
      await response.body?.cancel();
      // Another request, or another gateway, may have refreshed it since.
      if ((await tokenNow()) === shown) await keeper.change(text => this.refreshed(target, { keeper, text, shown }));
      const fresh = await tokenNow();
      if (fresh === undefined || fresh === shown) throw new McpError('unsent', NEEDS_LOGIN);
      const again = await show(fresh, url, init);
      if (again.status === 401) throw new McpError('unsent', NEEDS_LOGIN);
      return again;
    };
  }

  /** Begins a login. Resolves with the address that the person opens, and with the secret for its end. Rejects with an McpError. */
  async begin(target: HttpTarget, { redirectUrl, state, known: text }: McpLoginStart) {
    const known = decodeLogin(text);
    const fetchFn = this.fetchOf(target);
    return this.step(target, [], async () => {
      const { startAuthorization } = statelessSdk();
      const { server, scope } = await findServer(target, fetchFn);
      assertSameIssuer(target, known, server);
      const client = await findClient(target, { server, redirectUrl, known, scope, fetchFn });
      const { authorizationUrl, codeVerifier } = await startAuthorization(server.url, {
        metadata: server.metadata,
        clientInformation: client,
        redirectUrl,
        state,
        scope,
        ...resourceOf(server),
      });
      const kept = { server, redirectUrl, client: target.login?.client ? withoutSecret(client) : client, verifier: codeVerifier };
      return { url: authorizationUrl.href, step: encodeLogin(kept) };
    });
  }

  /** Ends a login with the code that the person's browser has brought. Resolves with the login. Rejects with an McpError. */
  async finish(target: HttpTarget, { step, code, iss, keeper }: McpLoginAnswer): Promise<string> {
    const { verifier, ...kept } = decodeStep(step);
    const client = clientFor(target, kept.client);
    if (!client) throw new McpError('unsent', NEEDS_LOGIN);
    const { server, redirectUrl } = kept;
    const exchange = async () => {
      const tokens = await statelessSdk().exchangeAuthorization(server.url, {
        metadata: server.metadata,
        clientInformation: client,
        authorizationCode: code,
        iss,
        codeVerifier: verifier,
        redirectUri: redirectUrl,
        ...resourceOf(server),
        fetchFn: this.fetchOf(target),
      });
      return encodeLogin({ ...kept, tokens: this.note(keeper, tokens) });
    };
    try {
      return await this.step(target, [code, verifier, client.client_secret], exchange);
    } catch (thrown) {
      if (!target.login?.client && CLIENT_REFUSED.has(refusalOf(thrown))) await keeper.change(async text => withoutTokensOf(text, client));
      throw thrown;
    }
  }

  /** Returns the login with new tokens; without tokens when it has ended. `shown`: the token that the server refused. */
  private async refreshed(
    target: HttpTarget,
    { keeper, text, shown }: { keeper: McpLoginKeeper; text: string; shown: string | undefined },
  ): Promise<string> {
    const { tokens, ...login } = decodeLogin(text) as Login;
    if (tokens?.access_token !== shown) return text;
    const client = login.client && clientFor(target, login.client);
    const { server } = login;
    if (!tokens?.refresh_token || !client || !server) return encodeLogin(login);
    const { refreshAuthorization } = statelessSdk();
    try {
      return await this.step(target, [tokens.refresh_token, client.client_secret], async () => {
        const fresh = await refreshAuthorization(server.url, {
          metadata: server.metadata,
          clientInformation: client,
          refreshToken: tokens.refresh_token as string,
          ...resourceOf(server),
          fetchFn: this.fetchOf(target),
        });
        return encodeLogin({ ...login, tokens: this.note(keeper, fresh) });
      });
    } catch (thrown) {
      const code = refusalOf(thrown);
      const isFinal = code === 'invalid_grant' || (!target.login?.client && CLIENT_REFUSED.has(code));
      if (isFinal) return encodeLogin(login);
      throw thrown;
    }
  }

  private fetchOf({ url, login }: HttpTarget): Fetch {
    return createOAuthFetch({
      server: new URL(url),
      issuer: login?.issuer,
      send: (to, init) => createBoundedFetch(String(to))(to, init),
      allow: this.options.allow,
    });
  }

  /** Makes the tokens of a login known as secrets, and returns them. */
  private note({ id }: McpLoginKeeper, tokens: OAuthTokens | undefined): OAuthTokens | undefined {
    const { access_token, refresh_token, id_token } = tokens ?? {};
    this.options.redactor.setSecrets(
      `mcp_login ${id}`,
      [access_token, refresh_token, id_token].filter(text => text !== undefined),
    );
    return tokens;
  }

  /** Runs a step of a login. Turns its errors into an McpError whose text holds no secret: a server may repeat them. */
  private async step<T>({ secrets }: HttpTarget, own: readonly (string | undefined)[], work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof McpError) throw thrown;
      const redact = createRedactor([...secrets, ...own.filter(text => text !== undefined)].flatMap(formsOf));
      const words = redact(thrown instanceof Error ? thrown.message : String(thrown)).slice(0, MAX_WORDS);
      throw new McpError('unsent', inBoth(`The login failed: ${words}`, `登录失败：“${words}”。`), { cause: thrown });
    }
  }
}

/** Returns the OAuth code with which the authorization server has refused a step; '' for another failure. */
function refusalOf(thrown: unknown): string {
  const { cause } = thrown as McpError;
  return cause instanceof statelessSdk().OAuthError ? cause.code : '';
}

/** Ends a login of a client that its server has forgotten, so that the next one registers anew. */
function withoutTokensOf(text: string, { client_id }: OAuthClientInformation): string {
  const { client, tokens: _, ...login } = decodeLogin(text) as Login;
  return client?.client_id === client_id ? encodeLogin({ ...login, client }) : text;
}

/** Asks the MCP server without a token which authorization server it has, and which scope it needs. */
async function findServer(
  { url, headers, login }: HttpTarget,
  fetchFn: Fetch,
): Promise<{ server: LoginServer; scope: string | undefined }> {
  const { discoverOAuthServerInfo, extractWWWAuthenticateParams, checkResourceAllowed, resourceUrlFromServerUrl } = statelessSdk();
  // Some servers ask for a login at messages alone, not at a GET.
  const message = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const refusal = await fetchFn(url, { method: 'POST', headers: { ...headers, ...message }, body: PING });
  await refusal.body?.cancel();
  const asked = extractWWWAuthenticateParams(refusal);
  const found = await discoverOAuthServerInfo(url, { resourceMetadataUrl: asked.resourceMetadataUrl, fetchFn });
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  const resource = resourceMetadata?.resource;
  const requestedResource = resourceUrlFromServerUrl(url);
  if (resource !== undefined && !checkResourceAllowed({ requestedResource, configuredResource: resource }))
    throw new Error(`Its metadata is about ${resource}, not about ${url}.`);
  const server = { issuer: metadata?.issuer ?? authorizationServerUrl, url: authorizationServerUrl, metadata, resource };
  const scope = login?.scope ?? asked.scope ?? (resourceMetadata?.scopes_supported?.join(' ') || undefined);
  return { server, scope: withOfflineAccess(scope, metadata?.scopes_supported) };
}

/** Some servers give a refresh token for this scope alone. */
function withOfflineAccess(scope: string | undefined, supported: readonly string[] | undefined): string | undefined {
  if (scope === undefined || !supported?.includes('offline_access') || scope.split(' ').includes('offline_access')) return scope;
  return `${scope} offline_access`;
}

/** Refuses another authorization server than the one that the operator, or the first login with the client of the operator, has named. */
function assertSameIssuer({ login }: HttpTarget, known: Partial<Login> | undefined, { issuer }: LoginServer): void {
  const isSameClient = login?.client !== undefined && known?.client?.client_id === login.client.id;
  const expected = login?.issuer ?? (isSameClient ? known?.server?.issuer : undefined);
  if (expected === undefined || withoutSlash(expected) === withoutSlash(issuer)) return;
  throw new McpError(
    'refused',
    inBoth(
      `It names the authorization server ${issuer}, and its login belongs to ${expected}. If that is right, set oauth.issuer to the new one in mcp.yaml.`,
      `它指定的授权服务器是 ${issuer}，而它的登录属于 ${expected}。如果这是对的，请在 mcp.yaml 中把 oauth.issuer 设为新的服务器。`,
    ),
  );
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** `client_secret_expires_at`: seconds since 1970; 0 for a secret without an end. */
const hasExpired = ({ client_secret_expires_at: end = 0 }: OAuthClientInformation): boolean => end > 0 && end * 1_000 <= Date.now();

/** mcp.yaml has the secret of the operator's client, so that a login keeps no old one. */
const withoutSecret = ({ client_secret: _, ...rest }: OAuthClientInformation): OAuthClientInformation => rest;

/**
 * Returns the client of the operator, the one of a login that still counts, or registers a new one. A login without tokens has ended, and its server may
 * have forgotten the client too, which only the person at its page would see.
 */
async function findClient(
  { login }: HttpTarget,
  {
    server,
    redirectUrl,
    known,
    scope,
    fetchFn,
  }: Omit<LoginClient, 'client'> & {
    known: Partial<Login> | undefined;
    scope: string | undefined;
    fetchFn: Fetch;
  },
): Promise<OAuthClientInformation> {
  if (login?.client) return { client_id: login.client.id, client_secret: login.client.secret };
  const isKnown = known?.tokens !== undefined && known.redirectUrl === redirectUrl && known.server?.issuer === server.issuer;
  if (isKnown && known.client && !hasExpired(known.client)) return known.client;
  const { registerClient, resolveClientMetadata } = statelessSdk();
  const clientMetadata = {
    client_name: 'neta-gateway',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  const metadata = resolveClientMetadata({ clientMetadata, redirectUrl } as unknown as Parameters<typeof resolveClientMetadata>[0]);
  return registerClient(server.url, { metadata: server.metadata, clientMetadata: metadata, scope, fetchFn });
}

/** The text as it is: a URL would get a slash that the server did not write. */
const resourceOf = ({ resource }: LoginServer): { resource?: string } => (resource === undefined ? {} : { resource });
