/** Transports over HTTP: streamable HTTP, and the older one with server-sent events. Both read answers of bounded size. */
import type { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError, type McpTarget } from '../../port/mcp';
import { createFetch } from '../network/proxy_fetch';
import { createCancellableFetch } from './cancellable_fetch';
import { mcpSdk } from './mcp_sdk';
import { MAX_MESSAGE_BYTES, TOO_LONG } from './message_limits';
import { withinOrigin } from './same_origin_fetch';
import { withTraceHeaders } from './trace_headers';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
export type HttpTarget = Extract<McpTarget, { kind: 'http' }>;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export function createHttpTransport({ url, headers }: HttpTarget, send: Fetch = createBoundedFetch(url)): StreamableHTTPClientTransport {
  const options = {
    fetch: createCancellableFetch(send),
    requestInit: { headers: { ...headers } },
  };
  return new (mcpSdk().StreamableHTTPClientTransport)(new URL(url), options);
}

export function createSseTransport({ url, headers }: HttpTarget, send: Fetch = createBoundedFetch(url)): SSEClientTransport {
  return new (mcpSdk().SSEClientTransport)(new URL(url), {
    fetch: send,
    requestInit: { headers: { ...headers } },
  });
}

/** Returns the fetch for requests to a server: it knows the proxy, sends traces as headers, limits answers, and stays at the origin. */
export const createBoundedFetch = (url: string) => withinOrigin(withTraceHeaders(boundedFetch(createFetch(new URL(url)))));

/** Fetches like `send`, but the body errors when one event, or an answer that is no event stream, exceeds the limit. */
function boundedFetch(send: (url: string | URL, init?: RequestInit) => Promise<Response>) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const { body, status, statusText, headers } = await send(url, init);
    const isEvents = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
    return new Response(body?.pipeThrough(limitSize(isEvents)) ?? null, { status, statusText, headers });
  };
}

/** `perEvent`: an empty line begins the count again. */
function limitSize(perEvent: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let last = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = perEvent ? endOfLastEvent(chunk, last) : 0;
      size = end > 0 ? chunk.length - end : size + chunk.length;
      last = chunk.at(-1) ?? last;
      if (size > MAX_MESSAGE_BYTES) controller.error(new McpError('lost', TOO_LONG));
      else controller.enqueue(chunk);
    },
  });
}

/** Returns the index behind the last empty line; 0 when there is none. `before`: the byte before the chunk. */
function endOfLastEvent(chunk: Uint8Array, before: number): number {
  for (let at = chunk.length - 1; at >= 0; at -= 1) {
    if (chunk[at] !== NEWLINE) continue;
    let previous = at - 1;
    if (chunk[previous] === CARRIAGE_RETURN) previous -= 1;
    if ((previous >= 0 ? chunk[previous] : before) === NEWLINE) return at + 1;
  }
  return 0;
}
