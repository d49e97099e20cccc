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

export interface OAuthFetchOptions {
  /** Address of the MCP server. */
  server: URL;
  /** Sends requests to the origin of the server. */
  send: Fetch;
  /** host:port entries that may be reached although they are private. */
  allow: readonly string[];
  /** Default: the system's resolver. */
  resolve?: ResolveHost | undefined;
}

/**
 * Requests to the server itself go through `send`. A server that stands at a private address may name others there: the operator has chosen a server
 * of the own network. Redirects of other servers are refused. Rejects with an McpError for an address that is refused.
 */
export function createOAuthFetch({ server, send, allow, resolve = resolveWithSystem }: OAuthFetchOptions): Fetch {
  const host = server.hostname.replace(/^\[|\]$/g, '');
  let isPrivate: Promise<boolean> | undefined;
  const request = createRequester({ allow, resolve, limits: { maxBytes: MAX_BYTES, totalMs: TOTAL_MS } });
  return async (input, init) => {
    const url = new URL(input);
    isPrivate ??= standsPrivately(host, resolve);
    if (url.origin === server.origin || (await isPrivate)) return send(url, { signal: AbortSignal.timeout(TOTAL_MS), ...init });
    try {
      const { method = 'GET', body } = init ?? {};
      const headers = Object.fromEntries(new Headers(init?.headers));
      const sent = { url: url.href, method: method as 'GET' | 'POST', headers, body: body ? String(body) : undefined };
      const { status, contentType, bytes } = await request(sent, init?.signal ?? AbortSignal.timeout(TOTAL_MS));
      const hasBody = status !== 204 && status !== 304;
      return new Response(hasBody ? Buffer.from(bytes) : null, { status, headers: { 'content-type': contentType } });
    } catch (thrown) {
      if (!(thrown instanceof WebError)) throw thrown;
      const text = inBoth(
        `Its login leads to ${url.host}, which cannot be used: ${thrown.message}`,
        `它的登录指向 ${url.host}，无法使用：${thrown.messageZh}`,
      );
      throw new McpError('unsent', text, { cause: thrown });
    }
  };
}

async function standsPrivately(host: string, resolve: ResolveHost): Promise<boolean> {
  const { checkAddress } = createAddressPolicy([]);
  const addresses = ipaddr.isValid(host) ? [host] : (await resolve(host).catch(() => [])).map(({ address }) => address);
  return addresses.some(address => {
    try {
      checkAddress(address, new URL('http://server'));
      return false;
    } catch {
      return true;
    }
  });
}
