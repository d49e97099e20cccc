/** Requests to OpenID Connect providers: through the proxy of the environment, with answers of bounded size, and without TLS on this machine alone. */
import { isLoopbackHost } from '../../utils/loopback_address';
import { createFetch } from '../network/proxy_fetch';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const MAX_BYTES = 1024 * 1024;
/** A provider may have its endpoints at several origins. */
const MAX_ORIGINS = 50;

const isSafeAddress = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));

export function createOidcFetch(): Fetch {
  const fetches = new Map<string, Fetch>();
  return async (address, init) => {
    const url = new URL(address);
    if (!isSafeAddress(url)) throw new TypeError(`${url.origin} is asked without TLS, which is allowed on this machine alone.`);
    let send = fetches.get(url.origin);
    if (!send) {
      if (fetches.size >= MAX_ORIGINS) fetches.clear();
      send = createFetch(url);
      fetches.set(url.origin, send);
    }
    const { body, status, statusText, headers } = await send(url, init);
    return new Response(body?.pipeThrough(limitSize()) ?? null, { status, statusText, headers });
  };
}

function limitSize(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > MAX_BYTES) controller.error(new TypeError(`The answer of the provider is longer than ${MAX_BYTES} bytes.`));
      else controller.enqueue(chunk);
    },
  });
}
