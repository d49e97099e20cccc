/** Finds the authorization server of an MCP server, and the client as which the gateway is known there. */
import type { OAuthClientInformation } from '@modelcontextprotocol/client';
import { McpError } from '../../port/mcp';
import { inBoth } from '../../utils/bilingual';
import type { Fetch, HttpTarget } from './http_transport';
import type { Login, LoginClient, LoginServer } from './oauth_record';
import { statelessSdk } from './stateless_sdk';

const PING = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' });

/** Asks the MCP server without a token which authorization server it has, and which scope it needs. */
export async function findServer(
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
export function assertSameIssuer({ login }: HttpTarget, known: Partial<Login> | undefined, { issuer }: LoginServer): void {
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

/**
 * Returns the client of the operator, the one of a login that still counts, or registers a new one. A login without tokens has ended, and its server may
 * have forgotten the client too, which only the person at its page would see.
 */
export async function findClient(
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
