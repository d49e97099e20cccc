import { isIP } from 'node:net';
import { isLoopbackAddress } from '../utils/loopback_address';

/**
 * Adds an address of this machine to NO_PROXY in `env`, the environment of this process. With NODE_USE_ENV_PROXY, Node sends even requests to this
 * machine through the proxy, which would take the address for its own.
 */
export function reachDirectly(url: string, env: NodeJS.ProcessEnv): void {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (host !== 'localhost' && !(isIP(address) && isLoopbackAddress(address))) return;
  // Node reads the name in lower case first.
  const name = env['no_proxy'] === undefined ? 'NO_PROXY' : 'no_proxy';
  const known = env[name]?.trim() ?? '';
  if (known !== '*' && !known.split(/[,\s]+/).includes(host)) env[name] = known === '' ? host : `${known},${host}`;
}
