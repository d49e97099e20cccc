/**
 * OpenID Connect by the library openid-client: discovery, the authorization code flow with PKCE, state and nonce, and ID tokens whose signature counts
 * even though they came over TLS. Logout tokens are checked with jose, because openid-client knows none.
 */
import type { Configuration } from 'openid-client';
import { OidcError, type OidcLogoutToken, type OidcPerson, type OidcPort, type OidcProvider, type OidcSecrets } from '../../port/oidc';
import { createOidcFetch, type Fetch } from './oidc_fetch';

type Library = typeof import('openid-client');
type Jose = typeof import('jose');

const TIMEOUT_SECONDS = 10;
/** The clocks of gateway and provider may differ by this much. */
const SKEW_SECONDS = 60;
const LOGOUT_TOKEN_SECONDS = 300;
/** The endpoints of a provider count for this time, and are then read again. */
const CONFIGURATION_MS = 3_600_000;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LOGOUT_TYPES = new Set(['logout+jwt', 'application/logout+jwt', 'jwt']);
const SIGNATURES = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

interface Known {
  configuration: Configuration;
  /** The keys with which the provider signs. They are read again for a key that is not known yet. */
  keys: ReturnType<Jose['createRemoteJWKSet']>;
  readAt: number;
}

/** Loaded with the first login. */
const library = (): Library => require('openid-client') as Library;
const jose = (): Jose => require('jose') as Jose;

/** `now`: milliseconds since 1970. */
export function createOidcClient({ now }: { now: () => number }): OidcPort {
  const providers = new Providers(createOidcFetch(), now);
  return {
    async beginLogin(provider, redirectUrl) {
      const { configuration } = await providers.find(provider);
      const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge, buildAuthorizationUrl } = library();
      const secrets: OidcSecrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUrl,
        scope: provider.scope,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, secrets };
    },
    async finishLogin(provider, { callbackUrl, secrets }) {
      const { configuration } = await providers.find(provider);
      return asOidcError(provider, () => finish(configuration, callbackUrl, secrets));
    },
    async readLogoutToken(provider, token) {
      const known = await providers.find(provider);
      return asOidcError(provider, () => readToken(provider, known, token));
    },
  };
}

/** Keeps what discovery has found. */
class Providers {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly send: Fetch,
    private readonly now: () => number,
  ) {}

  /** Endpoints that cannot be read again stay in use. */
  async find(provider: OidcProvider): Promise<Known> {
    const id = JSON.stringify(provider);
    const before = this.known.get(id);
    if (before && this.now() - before.readAt < CONFIGURATION_MS) return before;
    try {
      const found = await this.discover(provider);
      this.known.set(id, found);
      return found;
    } catch (thrown) {
      if (before) return before;
      throw toOidcError(provider, thrown, 'unreachable');
    }
  }

  private async discover({ issuer, clientId, clientSecret }: OidcProvider): Promise<Known> {
    const { discovery, customFetch, clockTolerance, allowInsecureRequests, enableNonRepudiationChecks, None } = library();
    const server = new URL(issuer);
    const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : [];
    const configuration = await discovery(
      server,
      clientId,
      { ...(clientSecret !== undefined && { client_secret: clientSecret }), [clockTolerance]: SKEW_SECONDS },
      clientSecret === undefined ? None() : undefined,
      { timeout: TIMEOUT_SECONDS, [customFetch]: this.send as never, execute: [...insecure, enableNonRepudiationChecks] },
    );
    const { jwks_uri: address } = configuration.serverMetadata();
    if (address === undefined) throw new TypeError('The provider names no keys (jwks_uri).');
    const keys = jose().createRemoteJWKSet(new URL(address), {
      timeoutDuration: TIMEOUT_SECONDS * 1_000,
      [jose().customFetch]: (url, options) => this.send(url, options),
    });
    return { configuration, keys, readAt: this.now() };
  }
}

async function finish(configuration: Configuration, callbackUrl: string, { state, nonce, verifier }: OidcSecrets): Promise<OidcPerson> {
  const { authorizationCodeGrant, fetchUserInfo } = library();
  const tokens = await authorizationCodeGrant(configuration, new URL(callbackUrl), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new OidcError('refused', 'The provider sent no ID token.');
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
  const sessionId = typeof claims['sid'] === 'string' ? claims['sid'] : undefined;
  // The signed ID token counts where both name a claim.
  return { subject: claims.sub, sessionId, claims: { ...more, ...claims } };
}

async function readToken({ clientId }: OidcProvider, { configuration, keys }: Known, token: string): Promise<OidcLogoutToken> {
  const { issuer } = configuration.serverMetadata();
  const { payload, protectedHeader } = await jose().jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: SIGNATURES,
    clockTolerance: SKEW_SECONDS,
    maxTokenAge: LOGOUT_TOKEN_SECONDS,
    requiredClaims: ['iat', 'jti', 'events'],
  });
  const { sub: subject, sid: sessionId, jti: id, iat = 0, events, nonce } = payload;
  const refuse = (reason: string): never => {
    throw new OidcError('refused', `The logout token ${reason}.`);
  };
  if (protectedHeader.typ !== undefined && !LOGOUT_TYPES.has(protectedHeader.typ.toLowerCase())) refuse('has the type of another token');
  if (nonce !== undefined) refuse('has a nonce, as ID tokens have');
  if (!isObject(events) || !isObject(events[LOGOUT_EVENT])) refuse('tells of no logout');
  if (typeof id !== 'string' || id === '') return refuse('has no id');
  if (sessionId !== undefined && typeof sessionId !== 'string') return refuse('names no session');
  if (subject === undefined && sessionId === undefined) refuse('names neither a person nor a session');
  return { id, subject, sessionId, expiresAt: (iat + LOGOUT_TOKEN_SECONDS + SKEW_SECONDS) * 1_000 };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

async function asOidcError<T>(provider: OidcProvider, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw toOidcError(provider, thrown, 'refused');
  }
}

/** Keeps the words of the library, which name no secret. A request that failed has `fetch`'s TypeError, or was stopped by the timeout. */
function toOidcError({ issuer }: OidcProvider, thrown: unknown, kind: OidcError['kind']): OidcError {
  if (thrown instanceof OidcError) return thrown;
  const { message, name, code, cause } = thrown as Error & { code?: string };
  const isLost = name === 'TimeoutError' || code === 'OAUTH_TIMEOUT' || code === 'ERR_JWKS_TIMEOUT' || message === 'fetch failed';
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return new OidcError(isLost ? 'unreachable' : kind, `${issuer}: ${reason}`.slice(0, 500), { cause: thrown });
}
