/** Encodes a login at an MCP server, and a login that has begun, for the store. */
import type { AuthorizationServerMetadata, OAuthClientInformation, OAuthTokens } from '@modelcontextprotocol/client';
import type { HttpTarget } from './http_transport';

/** The authorization server that a login was made at. Its client and its tokens are sent to no other one. */
export interface LoginServer {
  issuer: string;
  url: string;
  metadata?: AuthorizationServerMetadata | undefined;
  /** Names the MCP server in requests for tokens. */
  resource?: string | undefined;
}

/** Holds the registration of the gateway at the authorization server. A client of the operator has no secret here: mcp.yaml has it. */
export interface LoginClient {
  server: LoginServer;
  redirectUrl: string;
  client: OAuthClientInformation;
  /** The scopes that the person was asked for. */
  scope?: string | undefined;
}

/**
 * Without tokens the login has ended, and only the registration is left. `wanted`: the scopes for which the next login has to ask, because the server has
 * refused a request for want of one.
 */
export type Login = LoginClient & { tokens?: OAuthTokens | undefined; wanted?: string | undefined };

/** A step of a login in which a person takes part. */
export type LoginStep = LoginClient & { verifier: string };

export const encodeLogin = (login: Login | LoginStep): string => JSON.stringify(login);

/** Returns undefined for no login. A login from before servers were kept has tokens alone. */
export const decodeLogin = (text: string | undefined): Partial<Login> | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as Partial<Login>);

/** Decodes a step that `encodeLogin` wrote. */
export const decodeStep = (text: string): LoginStep => JSON.parse(text) as LoginStep;

/** Returns the client with its secret; undefined when the operator has registered another client since. */
export function clientFor({ login }: HttpTarget, client: OAuthClientInformation): OAuthClientInformation | undefined {
  const own = login?.client;
  if (!own) return client;
  return own.id === client.client_id ? { client_id: own.id, client_secret: own.secret } : undefined;
}
