/** `fetch` for the authorization server of an MCP server. A stranger names its address, so the address rules of web pages hold. */
import ipaddr from 'ipaddr.js';
import { McpError } from '../../port/mcp';
import { WebError } from '../../port/web';
import { inBoth } from '../../utils/bilingual';
import { createAddressPolicy } from '../web/address_policy';
import { type ResolveHost, resolveWithSystem } from '../web/checked_request';
import { createRequester } from '../web/page_fetcher';
import type { Fetch } from './http_transport';

/** Metadata and tokens are small; a longer answer is no JSON then. */
const MAX_BYTES = 256 * 1024;
const TOTAL_MS = 15_000;
const HINT = inBoth(
  ' For an authorization server of your own network, set oauth.issuer in mcp.yaml, or write host:port in NETA_FETCH_ALLOW.',
  '如果授权服务器在你自己的网络中，请在 mcp.yaml 中设置 oauth.issuer，或在 NETA_FETCH_ALLOW 中写入 host:port。',
);

export interface OAuthFetchOptions {
  /** Address of the MCP server. */
  server: URL;
  /** The authorization server that the operator has named. */
  issuer?: string | undefined;
  /** Sends requests to the origins of the server and of `issuer`. */
  send: Fetch;
  /** host:port entries that may be reached although they are private. */
  allow: readonly string[];
  /** Default: the system's resolver. */
  resolve?: ResolveHost | undefined;
}

/**
 * Requests to the server itself, and to the authorization server that the operator has named, go through `send`. A server that the operator has written
 * as a private address may name others there. A name that leads to a private address is not enough: its owner decides where it leads. Redirects of
 * other servers are refused. Rejects with an McpError for an address that is refused.
 */
export function createOAuthFetch({ server, issuer, send, allow, resolve = resolveWithSystem }: OAuthFetchOptions): Fetch {
  const mayNameAny = isOfOwnNetwork(server, allow);
  const named = [server.origin, ...(issuer !== undefined && URL.canParse(issuer) ? [new URL(issuer).origin] : [])];
  const request = createRequester({ allow, resolve, limits: { maxBytes: MAX_BYTES, totalMs: TOTAL_MS } });
  return async (input, init) => {
    const url = new URL(input);
    if (mayNameAny || named.includes(url.origin)) return send(url, { signal: AbortSignal.timeout(TOTAL_MS), ...init });
    try {
      const { method = 'GET', body } = init ?? {};
      const headers = Object.fromEntries(new Headers(init?.headers));
      const sent = { url: url.href, method: method as 'GET' | 'POST', headers, body: body ? String(body) : undefined };
      const { status, contentType, bytes } = await request(sent, init?.signal ?? AbortSignal.timeout(TOTAL_MS));
      const hasBody = status !== 204 && status !== 304;
      return new Response(hasBody ? Buffer.from(bytes) : null, { status, headers: { 'content-type': contentType } });
    } catch (thrown) {
      if (!(thrown instanceof WebError)) throw thrown;
      const hint = thrown.code === 'forbidden_address' ? HINT : inBoth('', '');
      const text = inBoth(
        `Its login leads to ${url.host}, which cannot be used: ${thrown.message}${hint.en}`,
        `它的登录指向 ${url.host}，无法使用：${thrown.messageZh}${hint['zh-CN']}`,
      );
      throw new McpError('unsent', text, { cause: thrown });
    }
  };
}

/** Returns true for an address that no stranger can move: a private one, this machine, and one of `allow`. */
function isOfOwnNetwork(server: URL, allow: readonly string[]): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || createAddressPolicy(allow).isNamed(server)) return true;
  if (!ipaddr.isValid(host)) return false;
  try {
    createAddressPolicy([]).checkAddress(host, server);
    return false;
  } catch {
    return true;
  }
}
