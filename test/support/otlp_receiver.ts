/** A receiver of traces over OTLP/HTTP with JSON, on a free loopback port. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  kind: number;
  startMs: number;
  endMs: number;
  isFailed: boolean;
  attributes: Record<string, unknown>;
  events: { name: string; attributes: Record<string, unknown> }[];
}

export interface OtlpReceiver {
  /** The value for NETA_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly requests: readonly { path: string; headers: IncomingHttpHeaders; resource: Record<string, unknown> }[];
  /** Resolves with the spans of a trace, in the order of their beginnings, once the span that `isLast` accepts is there. */
  traceWith(isLast: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan[]>;
  stop(): Promise<void>;
}

interface WireAttribute {
  key: string;
  value: Record<string, unknown>;
}

interface WireSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status?: { code?: number };
  attributes: WireAttribute[];
  events?: { name: string; attributes?: WireAttribute[] }[];
}

interface WireBody {
  resourceSpans: { resource: { attributes: WireAttribute[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

export async function startOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: OtlpReceiver['requests'][number][] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const { resourceSpans } = JSON.parse(body) as WireBody;
    for (const { resource, scopeSpans } of resourceSpans) {
      requests.push({ path: request.url ?? '', headers: request.headers, resource: toObject(resource.attributes) });
      spans.push(...scopeSpans.flatMap(scope => scope.spans.map(toSpan)));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    async traceWith(isLast) {
      for (let left = 750; left > 0; left--) {
        const last = spans.find(isLast);
        if (last) return spans.filter(({ traceId }) => traceId === last.traceId).sort((a, b) => a.startMs - b.startMs);
        await delay(20);
      }
      throw new Error(`the span did not arrive; there are ${spans.map(({ name }) => name).join(', ')}`);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const toSpan = (span: WireSpan): ReceivedSpan => ({
  name: span.name,
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId ?? '',
  kind: span.kind,
  startMs: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
  endMs: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
  isFailed: span.status?.code === 2,
  attributes: toObject(span.attributes),
  events: (span.events ?? []).map(({ name, attributes = [] }) => ({ name, attributes: toObject(attributes) })),
});

const toObject = (attributes: readonly WireAttribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
