/**
 * Ends the answer of a request over streamable HTTP when the client cancels the request. The SDK keeps the stream open until the server ends it, so a
 * server that never answers would hold a connection for each call that timed out.
 */

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

interface OpenRequest {
  /** Ends the connection to the server. */
  abort: AbortController;
  /** Ends the stream that the SDK reads. */
  end?: () => void;
}

export function createCancellableFetch(send: Fetch): Fetch {
  const open = new Map<unknown, OpenRequest>();
  return async (url, init) => {
    const { id, cancelledId } = readMessage(init?.body);
    if (cancelledId !== undefined) return send(url, init).finally(() => endRequest(open, cancelledId));
    if (id === undefined) return send(url, init);
    const request: OpenRequest = { abort: new AbortController() };
    open.set(id, request);
    const signals = [request.abort.signal, ...(init?.signal ? [init.signal] : [])];
    try {
      const response = await send(url, { ...init, signal: AbortSignal.any(signals) });
      return withEnd(response, { id, request, onEnd: () => open.delete(id) });
    } catch (thrown) {
      open.delete(id);
      throw thrown;
    }
  };
}

function endRequest(open: Map<unknown, OpenRequest>, id: unknown): void {
  const request = open.get(id);
  open.delete(id);
  request?.end?.();
  request?.abort.abort();
}

/** Passes an event stream on until the server or a cancellation ends it. Any other answer is left as it is. */
function withEnd(response: Response, { id, request, onEnd }: { id: unknown; request: OpenRequest; onEnd: () => void }): Response {
  const { body, status, statusText, headers } = response;
  const isEvents = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
  if (!body || !isEvents) {
    onEnd();
    return response;
  }
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      request.end = () => {
        // The SDK then takes the stream as complete, and does not connect again to read the rest.
        controller.enqueue(Buffer.from(`event: message\ndata: ${JSON.stringify(cancelledAnswer(id))}\n\n`));
        controller.close();
      };
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!request.end || request.abort.signal.aborted) return;
        if (value) controller.enqueue(value);
        if (!done) return;
        delete request.end;
        onEnd();
        controller.close();
      } catch (thrown) {
        if (request.abort.signal.aborted) return;
        delete request.end;
        onEnd();
        controller.error(thrown);
      }
    },
    async cancel(reason) {
      delete request.end;
      onEnd();
      await reader.cancel(reason);
    },
  });
  return new Response(stream, { status, statusText, headers });
}

const cancelledAnswer = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32_800, message: 'The request was cancelled.' } });

/** Returns the id of a request, or the id of the request that a notification cancels. */
function readMessage(body: RequestInit['body']): { id?: unknown; cancelledId?: unknown } {
  if (typeof body !== 'string') return {};
  const message = JSON.parse(body) as { id?: unknown; method?: unknown; params?: { requestId?: unknown } };
  if (message.method === 'notifications/cancelled') return { cancelledId: message.params?.requestId };
  return message.method === undefined || message.id === undefined ? {} : { id: message.id };
}
