/** Sends the trace of a call as headers too. Servers that know the convention of MCP read it from `_meta`, HTTP servers and proxies from headers. */
import { readTraceContext, type SentTrace, traceHeaders } from '../../port/traceparent';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Returns a fetch that adds the headers; messages without a trace are sent unchanged. */
export function withTraceHeaders(send: Fetch): Fetch {
  return (url, init) => {
    const headers = headersOf(init?.body);
    if (!headers) return send(url, init);
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return send(url, { ...init, headers: all });
  };
}

function headersOf(body: RequestInit['body']): Record<string, string> | undefined {
  if (typeof body !== 'string' || !body.includes('"traceparent"')) return undefined;
  const { params } = JSON.parse(body) as { params?: { _meta?: SentTrace } };
  const trace = readTraceContext(params?._meta ?? {});
  return trace && { ...traceHeaders(trace) };
}
