/**
 * Logins at MCP servers by OAuth 2.1: a person lets the gateway in once, and the gateway refreshes its tokens from then on. Finds the authorization
 * server, registers the gateway there unless the operator has done so, and protects the code with PKCE. The functions of the SDK are used one by one:
 * its `auth` finds the authorization server again in each step, and writes to the console.
 */
import type { OAuthClientInformation, OAuthTokens } from '@modelcontextprotocol/client';
import { McpError, type McpHandlers, type McpLoginAnswer, type McpLoginKeeper, type McpLoginStart } from '../../port/mcp';
import type { Redactor } from '../../port/redactor';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { toPlainText } from '../../utils/plain_text';
import { createRedactor, formsOf } from '../redact';
import { createBoundedFetch, type Fetch, type HttpTarget } from './http_transport';
import { createOAuthFetch } from './oauth_fetch';
import { clientFor, decodeLogin, decodeStep, encodeLogin, type Login, type LoginServer } from './oauth_record';
import { revokeToken } from './oauth_revocation';
import { assertSameIssuer, findClient, findServer } from './oauth_server';
import { statelessSdk } from './stateless_sdk';

const NEEDS_LOGIN = inBoth(
  'It needs a login: choose Connect at the server in the operator pages, or POST /api/v1/mcp-servers/{name}/login.',
  '需要登录：请在运维页面的该服务器处选择“登录”，或调用 POST /api/v1/mcp-servers/{name}/login。',
);
/** `scope`: what the server asks for, in its words. */
const needsScope = (scope: string | undefined): Bilingual => {
  const words = toPlainText(scope ?? '').slice(0, MAX_WORDS);
  return inBoth(
    `It needs more rights${words && ` (${words})`}: choose Connect at the server in the operator pages, or POST /api/v1/mcp-servers/{name}/login, and allow them.`,
    `需要更多权限${words && `（${words}）`}：请在运维页面的该服务器处选择“登录”，或调用 POST /api/v1/mcp-servers/{name}/login，并予以许可。`,
  );
};
/** Refusals of a client. The operator can mend the own one in mcp.yaml; one that the gateway has registered is lost. */
const CLIENT_REFUSED = new Set(['invalid_client', 'unauthorized_client']);
const MAX_WORDS = 300;

export interface OAuthLoginsOptions {
  redactor: Pick<Redactor, 'setSecrets'>;
  /** host:port entries that may be reached although they are private. */
  allow: readonly string[];
}

export class OAuthLogins {
  constructor(private readonly options: OAuthLoginsOptions) {}

  /**
   * Returns the fetch for requests to a server: it shows the token at the server's origin alone, and refreshes it when the server refuses it. `tell` gets
   * the sentence with which a request rejects that needs a person.
   */
  fetchFor(target: HttpTarget, keeper: McpLoginKeeper, { send, tell }: { send: Fetch; tell: McpHandlers['onLoginNeeded'] }): Fetch {
    const { origin } = new URL(target.url);
    const tokenNow = async () => this.note(keeper, decodeLogin(await keeper.read())?.tokens)?.access_token;
    const show = (token: string | undefined, url: string | URL, init: RequestInit | undefined): Promise<Response> => {
      const headers = new Headers(init?.headers);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      return send(url, { ...init, headers });
    };
    const needsPerson = (text: Bilingual): McpError => {
      tell(text);
      return new McpError('unsent', text);
    };
    /** Rejects for an answer that asks for more scopes, and remembers them for the next login. */
    const withScopes = async (response: Response): Promise<Response> => {
      const { error, scope } = response.status === 403 ? statelessSdk().extractWWWAuthenticateParams(response) : {};
      if (error !== 'insufficient_scope') return response;
      await response.body?.cancel();
      await keeper.change(async text => withWanted(text, scope));
      throw needsPerson(needsScope(scope));
    };
    return async (url, init) => {
      if (new URL(url).origin !== origin) return send(url, init);
      const shown = await tokenNow();
      const response = await show(shown, url, init);
      if (response.status !== 401) return withScopes(response);
      await response.body?.cancel();
      // Another request, or another gateway, may have refreshed it since.
      if ((await tokenNow()) === shown) await keeper.change(text => this.refreshed(target, { keeper, text, shown }));
      const fresh = await tokenNow();
      if (fresh === undefined || fresh === shown) throw needsPerson(NEEDS_LOGIN);
      const again = await show(fresh, url, init);
      if (again.status === 401) throw needsPerson(NEEDS_LOGIN);
      return withScopes(again);
    };
  }

  /** Begins a login. Resolves with the address that the person opens, and with the secret for its end. Rejects with an McpError. */
  async begin(target: HttpTarget, { redirectUrl, state, known: text }: McpLoginStart) {
    const known = decodeLogin(text);
    const fetchFn = this.fetchOf(target);
    return this.step(target, [], async () => {
      const { startAuthorization, computeScopeUnion } = statelessSdk();
      const { server, scope: asked } = await findServer(target, fetchFn);
      const scope = computeScopeUnion(asked, known?.wanted);
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
      const kept = { server, redirectUrl, client: target.login?.client ? withoutSecret(client) : client, scope, verifier: codeVerifier };
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

  /** Revokes the tokens of a login. Resolves whether the authorization server has taken that; false also where it offers none. Never rejects. */
  async revoke(target: HttpTarget, text: string): Promise<boolean> {
    const { tokens, client: known, server } = decodeLogin(text) ?? {};
    const client = known && clientFor(target, known);
    const { revocation_endpoint: endpoint } = (server?.metadata ?? {}) as { revocation_endpoint?: unknown };
    if (!tokens || !client || typeof endpoint !== 'string') return false;
    try {
      const { refresh_token: refresh, access_token: access } = tokens;
      if (refresh !== undefined) await revokeToken(endpoint, { token: refresh, hint: 'refresh_token', client }, this.fetchOf(target));
      await revokeToken(endpoint, { token: access, hint: 'access_token', client }, this.fetchOf(target));
      return true;
    } catch {
      return false;
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

/** Adds the scopes for which a server has asked to those of the login. */
function withWanted(text: string, scope: string | undefined): string {
  const login = decodeLogin(text) as Login;
  const wanted = statelessSdk().computeScopeUnion(login.wanted, login.scope, login.tokens?.scope, scope);
  return encodeLogin({ ...login, wanted });
}

/** Ends a login of a client that its server has forgotten, so that the next one registers anew. */
function withoutTokensOf(text: string, { client_id }: OAuthClientInformation): string {
  const { client, tokens: _, ...login } = decodeLogin(text) as Login;
  return client?.client_id === client_id ? encodeLogin({ ...login, client }) : text;
}

/** mcp.yaml has the secret of the operator's client, so that a login keeps no old one. */
const withoutSecret = ({ client_secret: _, ...rest }: OAuthClientInformation): OAuthClientInformation => rest;

/** The text as it is: a URL would get a slash that the server did not write. */
const resourceOf = ({ resource }: LoginServer): { resource?: string } => (resource === undefined ? {} : { resource });
