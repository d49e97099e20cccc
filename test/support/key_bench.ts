/** A gateway with keys, and clients of each key. */
import { type AgentBench, startBench } from './agent_bench';
import { createRestClient, type RestClient } from './rest_client';

export const ADMIN = 'admin-secret-0123456789';

/** NETA_API_KEYS with an admin of the tenant `default` who has every scope. */
const ADMIN_KEY = `root:${ADMIN}:default:chat+tools+approve+ops:read+ops:write+admin`;

export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** A REST client that shows a key with every request. */
export function withKey(url: string, secret: string): RestClient {
  const client = createRestClient(url);
  const request: RestClient['request'] = (method, path, body, headers = {}) =>
    client.request(method, path, body, { ...bearer(secret), ...headers });
  return {
    request,
    run: (body, headers = {}) => client.run(body, { ...bearer(secret), ...headers }),
    history: () => Promise.reject(new Error('not supported')),
    stream: (method, path, body, headers = {}) => client.stream(method, path, body, { ...bearer(secret), ...headers }),
  };
}

export interface KeyBench {
  bench: AgentBench;
  url: string;
  admin: RestClient;
  /** Makes a key and resolves with its id and secret. */
  makeKey(fields: Record<string, unknown>): Promise<{ id: string; secret: string }>;
}

export async function startKeyBench(env: Record<string, string> = {}): Promise<KeyBench> {
  const bench = await startBench({ env: { NETA_API_KEYS: ADMIN_KEY, ...env } });
  const { url } = bench.gateway;
  const admin = withKey(url, ADMIN);
  return {
    bench,
    url,
    admin,
    async makeKey(fields) {
      const { status, body } = await admin.request<{ id: string; secret: string }>('POST', '/api-keys', fields);
      if (status !== 201) throw new Error(`the key was refused: ${JSON.stringify(body)}`);
      return body;
    },
  };
}
