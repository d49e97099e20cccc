/**
 * Logins at MCP servers by OAuth 2.1: a person lets the gateway in once, and the gateway refreshes its tokens from then on. The SDK finds the
 * authorization server, registers the gateway there unless the operator has done so, and protects the code with PKCE.
 */
import type { OAuthClientProvider, StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { McpError, type McpLoginAnswer, type McpLoginStart } from '../../port/mcp';
import type { SecretStore } from '../../port/secret_store';
import { inBoth } from '../../utils/bilingual';
import type { Fetch, HttpTarget } from './http_transport';
import { statelessSdk } from './stateless_sdk';

/** The login at one server, as the secret store keeps it. */
interface Login {
  /** A login counts for this address alone: a server that moves must not get the tokens of another one. */
  url: string;
  redirectUrl?: string;
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
}

/** A step of a login in which a person takes part. */
interface Step {
  redirectUrl: string;
  state?: string;
  verifier?: string;
}

const NEEDS_LOGIN = inBoth(
  'It needs a login: choose Connect at the server in the operator pages, or POST /api/v1/mcp-servers/{name}/login.',
  '需要登录：请在运维页面的该服务器处选择“登录”，或调用 POST /api/v1/mcp-servers/{name}/login。',
);

export class OAuthLogins {
  constructor(private readonly secrets: SecretStore) {}

  /** Returns the fetch for requests to a server: it shows the token at the server's origin alone, and refreshes it when the server refuses it. */
  fetchFor(name: string, target: HttpTarget, send: Fetch): Fetch {
    if (!target.login) return send;
    const { origin } = new URL(target.url);
    const tokenNow = (): string | undefined => this.read(name, target).tokens?.access_token;
    const show = (token: string | undefined, url: string | URL, init: RequestInit | undefined): Promise<Response> => {
      const headers = new Headers(init?.headers);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      return send(url, { ...init, headers });
    };
    return async (url, init) => {
      if (new URL(url).origin !== origin) return send(url, init);
      const shown = tokenNow();
      const response = await show(shown, url, init);
      if (response.status !== 401) return response;
      await response.body?.cancel();
      // Another request may have refreshed it meanwhile.
      if (tokenNow() === shown) await this.refresh(name, target, send);
      const again = await show(tokenNow(), url, init);
      if (again.status === 401) throw new McpError('unsent', NEEDS_LOGIN);
      return again;
    };
  }

  /** Returns the texts that must not be shown. */
  secretsOf(name: string, target: HttpTarget): string[] {
    const { tokens } = this.read(name, target);
    return [tokens?.access_token, tokens?.refresh_token].filter(text => text !== undefined);
  }

  /** Begins a login. Resolves with the address that the person opens, and with the secret for its end. Rejects with an McpError. */
  async begin(name: string, target: HttpTarget, { redirectUrl, state, send }: McpLoginStart & { send: Fetch }) {
    const step: Step = { redirectUrl, state };
    let address: URL | undefined;
    const provider = this.providerOf(name, target, step, url => {
      address = url;
    });
    await this.authorize(provider, { serverUrl: target.url, fetchFn: send, forceReauthorization: true });
    if (!address || step.verifier === undefined) throw new McpError('refused', inBoth('It offered no login.', '它没有提供登录。'));
    return { url: address.href, verifier: step.verifier };
  }

  /** Ends a login with the code that the person's browser has brought. Rejects with an McpError. */
  async finish(
    name: string,
    target: HttpTarget,
    { redirectUrl, verifier, code, iss, send }: McpLoginAnswer & { send: Fetch },
  ): Promise<void> {
    const provider = this.providerOf(name, target, { redirectUrl, verifier }, refuseLogin);
    await this.authorize(provider, { serverUrl: target.url, fetchFn: send, authorizationCode: code, iss });
  }

  /** One refresh at a time for each server: a refresh token often counts once. */
  private readonly refreshing = new Map<string, Promise<void>>();

  private refresh(name: string, target: HttpTarget, send: Fetch): Promise<void> {
    const { tokens, redirectUrl = '' } = this.read(name, target);
    if (tokens?.refresh_token === undefined) throw new McpError('unsent', NEEDS_LOGIN);
    const running = this.refreshing.get(name);
    if (running) return running;
    const provider = this.providerOf(name, target, { redirectUrl }, refuseLogin);
    const refresh = this.authorize(provider, { serverUrl: target.url, fetchFn: send }).finally(() => this.refreshing.delete(name));
    this.refreshing.set(name, refresh);
    return refresh;
  }

  private async authorize(provider: OAuthClientProvider, options: Parameters<ReturnType<typeof statelessSdk>['auth']>[1]): Promise<void> {
    try {
      await statelessSdk().auth(provider, options);
    } catch (thrown) {
      if (thrown instanceof McpError) throw thrown;
      const words = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 300);
      throw new McpError('unsent', inBoth(`The login failed: ${words}`, `登录失败：“${words}”。`), { cause: thrown });
    }
  }

  private providerOf(name: string, target: HttpTarget, step: Step, onRedirect: (url: URL) => void): OAuthClientProvider {
    const { redirectUrl } = step;
    const { client, scope } = target.login ?? {};
    const write = (change: Partial<Login>) => this.write(name, { ...this.read(name, target), ...change });
    return {
      redirectUrl,
      clientMetadata: {
        client_name: 'neta-gateway',
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        ...(scope !== undefined && { scope }),
      },
      ...(step.state !== undefined && { state: () => step.state ?? '' }),
      clientInformation: () => {
        if (client) return { client_id: client.id, ...(client.secret !== undefined && { client_secret: client.secret }) };
        const known = this.read(name, target);
        // The gateway is registered with one address to come back to.
        return known.redirectUrl === redirectUrl ? known.client : undefined;
      },
      saveClientInformation: information => write({ client: information, redirectUrl }),
      tokens: () => this.read(name, target).tokens,
      saveTokens: tokens => write({ tokens, redirectUrl }),
      redirectToAuthorization: onRedirect,
      saveCodeVerifier: verifier => {
        step.verifier = verifier;
      },
      codeVerifier: () => step.verifier ?? '',
    };
  }

  private read(name: string, { url }: HttpTarget): Login {
    const text = this.secrets.read(keyOf(name));
    const login = text === undefined ? undefined : (JSON.parse(text) as Login);
    return login?.url === url ? login : { url };
  }

  private write(name: string, login: Login): Promise<void> {
    return this.secrets.write(keyOf(name), JSON.stringify(login));
  }
}

const keyOf = (name: string): string => `mcp_login_${name}`;

function refuseLogin(): never {
  throw new McpError('unsent', NEEDS_LOGIN);
}
