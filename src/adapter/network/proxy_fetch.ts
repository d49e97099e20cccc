/** `fetch` for a server of the operator's choice, through the proxy that the environment names. */
import type { Dispatcher } from 'undici';
import { answersItself, ProxyError } from './proxy_error';
import { routeTo, type ServerRoute } from './server_route';
import { undici } from './undici';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const CONNECT_MS = 10_000;

/** Creates a fetch for a server. It rejects with a TypeError, as `fetch` does, whose message names a proxy that fails. */
export function createFetch(server: URL): Fetch {
  const route = routeTo(server, CONNECT_MS);
  const dispatcher = toDispatcher(route, server);
  // A cast, because undici's types equal those of Node's own fetch under other names.
  const send = undici().fetch as unknown as (url: string | URL, init: object) => Promise<Response>;
  return async (url, init) => {
    const response = await send(url, { ...init, dispatcher }).catch((thrown: Error) => {
      throw thrown.cause instanceof ProxyError ? new TypeError(thrown.cause.message) : thrown;
    });
    const { proxy, pathPrefix } = route;
    const isText = /^text\/(html|plain)/i.test(response.headers.get('content-type') ?? 'text/html');
    if (proxy && pathPrefix !== '' && answersItself(response.status, isText)) {
      await response.body?.cancel();
      throw new TypeError(new ProxyError(proxy, server.host, { status: response.status }).message);
    }
    return response;
  };
}

/** Behind a proxy the route leads to one server, so a redirect to another server is refused. */
function toDispatcher({ proxy, origin, pathPrefix, headers, connect }: ServerRoute, server: URL): Dispatcher {
  const agent = new (undici().Agent)({ connect });
  if (!proxy) return agent;
  return agent.compose(dispatch => (options, handler) => {
    const asked = String(options.origin);
    if (asked !== server.origin) throw new TypeError(`${server.host} redirects to ${asked}, which is not followed through a proxy.`);
    if (pathPrefix === '') return dispatch(options, handler);
    const { host } = new URL(pathPrefix);
    const given = options.headers as Record<string, string> | undefined;
    return dispatch({ ...options, origin, path: `${pathPrefix}${options.path}`, headers: { host, ...given, ...headers } }, handler);
  });
}
