/** Asks a server over HTTP that has refused the handshake if it speaks a version without sessions. */
import { McpError } from '../../port/mcp';
import { createBoundedFetch, type Fetch, type HttpTarget } from './http_transport';

const STATELESS_VERSION = '2026-07-28';
export const CLIENT_INFO = { name: 'neta-gateway', version: '1.0.0' };
const METHOD = 'server/discover';
const PATIENCE_MS = 5_000;

/** Describes a server in its own words. The SDK checks the fields. */
export type Discovery = { supportedVersions: string[] } & Record<string, unknown>;

/** Resolves undefined for a server that does not answer as the version says. Rejects when the signal aborts, and for a server that needs a login. */
export async function discoverStateless(
  { url, headers }: HttpTarget,
  signal: AbortSignal,
  send: Fetch = createBoundedFetch(url),
): Promise<Discovery | undefined> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
    'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  try {
    const response = await send(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': STATELESS_VERSION,
        'mcp-method': METHOD,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: METHOD, params: { _meta } }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    const text = await response.text();
    const { result } = JSON.parse(/^data: *(.+)$/m.exec(text)?.[1] ?? text) as { result?: Partial<Discovery> };
    const versions = result?.supportedVersions;
    return Array.isArray(versions) && versions.includes(STATELESS_VERSION) ? (result as Discovery) : undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof McpError && thrown.kind === 'unsent') throw thrown;
    return undefined;
  }
}
