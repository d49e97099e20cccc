/** Logins at OpenID Connect providers: where a person goes, what the code of the person proves, and what a provider says about an ended session. */

/** A provider as the operator has configured it. */
export interface OidcProvider {
  issuer: string;
  clientId: string;
  /** Absent: a public client, which PKCE alone protects. */
  clientSecret?: string | undefined;
  /** Separated by blanks; `openid` is one of them. */
  scope: string;
}

/** The secrets of one login that has begun. They stay with the browser of the person, sealed. */
export interface OidcSecrets {
  state: string;
  nonce: string;
  /** The verifier of PKCE. */
  verifier: string;
}

/** What the provider says about a person who has logged in. */
export interface OidcPerson {
  /** Names the person at this issuer for ever. */
  subject: string;
  /** Names the session at the provider; it comes back in a logout token. */
  sessionId?: string | undefined;
  /** The claims of the ID token, and those of the userinfo endpoint. */
  claims: Readonly<Record<string, unknown>>;
}

/** A logout token that is signed by the provider, meant for this client, and fresh. One of `subject` and `sessionId` is there. */
export interface OidcLogoutToken {
  id: string;
  subject?: string | undefined;
  sessionId?: string | undefined;
  /** Milliseconds since 1970: the token is too old from then on. */
  expiresAt: number;
}

/** unreachable: the provider does not answer, or not as a provider. refused: the person or the token is not let in. */
export class OidcError extends Error {
  constructor(
    readonly kind: 'unreachable' | 'refused',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OidcError';
  }
}

export interface OidcPort {
  /** Resolves with the page of the provider, and with the secrets for `finishLogin`. Rejects with an OidcError. */
  beginLogin(provider: OidcProvider, redirectUrl: string): Promise<{ url: string; secrets: OidcSecrets }>;
  /** `callbackUrl`: the redirect URL with the query that the browser brought. Rejects with an OidcError. */
  finishLogin(provider: OidcProvider, answer: { callbackUrl: string; secrets: OidcSecrets }): Promise<OidcPerson>;
  /** Checks a logout token, as OpenID Connect Back-Channel Logout 1.0, 2.6, says; the caller remembers its id. Rejects with an OidcError. */
  readLogoutToken(provider: OidcProvider, token: string): Promise<OidcLogoutToken>;
}
