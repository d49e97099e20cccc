/** Agents of node:http that go through the proxy which the environment names. Node 24.5 and newer know how; npm start uses such a Node. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type HttpProxy, proxyFor } from './proxy';

/** Returns an agent of its own for requests to the URL, with the proxy that it uses. NODE_USE_ENV_PROXY changes nothing here. */
export function agentFor(url: URL, keepAlive = false): { agent: HttpAgent; proxy?: HttpProxy } {
  const proxy = proxyFor(url);
  const isSecure = url.protocol === 'https:';
  const proxyEnv = proxy && { [isSecure ? 'https_proxy' : 'http_proxy']: proxy.href };
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive, proxyEnv });
  return { agent, proxy };
}
