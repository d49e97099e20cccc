/** Asks a server over HTTP if it speaks a version without sessions. */
import { McpError } from '../../port/mcp';
import type { Fetch, HttpTarget } from './http_transport';
import { STATELESS_VERSION, StatelessRefusal, sendStateless } from './stateless_request';

const PATIENCE_MS = 5_000;

/** Describes a server in its own words. The SDK checks the fields. */
export type Discovery = { supportedVersions: string[] } & Record<string, unknown>;

/** Resolves undefined for a server that does not answer as the version says. Rejects when the signal aborts, and for a server that needs a login. */
export async function discoverStateless(target: HttpTarget, signal: AbortSignal, fetch?: Fetch): Promise<Discovery | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const discover = () => sendStateless(target, { method: 'server/discover' }, { signal: limit, fetch });
  try {
    const result = await discover().catch(thrown => {
      if (namesOurVersion(thrown)) return discover();
      throw thrown;
    });
    const { supportedVersions: versions } = result;
    return Array.isArray(versions) && versions.includes(STATELESS_VERSION) ? (result as Discovery) : undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof McpError && thrown.kind === 'unsent') throw thrown;
    return undefined;
  }
}

/** Returns true for a server that has refused the version although it names the version as one of its own, such as while it is being replaced. */
function namesOurVersion(thrown: unknown): boolean {
  const { supported } = (thrown instanceof StatelessRefusal && thrown.data) || {};
  return Array.isArray(supported) && supported.includes(STATELESS_VERSION);
}
