import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';
import { createObserver } from '../../../src/adapter/local/node/observer';
import { type SpanQueue, toCountedProcessor } from '../../../src/adapter/otel/counted_spans';
import { openTraces } from '../../../src/adapter/otel/open_traces';
import { createManualClock } from '../../support/manual_clock';

const embedding = { model: 'small', provider: 'openai-compatible', texts: 1 };

describe('a receiver that takes requests and answers none', () => {
  let server: Server;
  beforeEach(async () => {
    server = createServer(request => void request.resume());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('costs microseconds a span, is told once, and delays the stop by seconds at most', async () => {
    const errors: unknown[] = [];
    const onError = (_message: string, error: unknown) => void errors.push(error);
    const observer = createObserver({ clock: createManualClock(), onError });
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const traces = openTraces(
      { endpoint, headers: {}, serviceName: 'test', ratio: 1, everyMs: 2_000, hasContents: false },
      { observer, programDir: join(__dirname, '../../..'), instance: 'test', redact: text => text, onError },
    );
    const before = process.cpuUsage();
    for (let i = 0; i < 20_000; i++) observer.begin('embedding', embedding).end({});
    const { user } = process.cpuUsage(before);
    expect(user / 20_000).toBeLessThan(500);
    const stopped = performance.now();
    await traces.close();
    expect(performance.now() - stopped).toBeLessThan(6_000);
    expect(errors).toHaveLength(1);
  });
});

it('drops spans beyond the number and the size that may wait, and counts them', () => {
  const taken: ReadableSpan[] = [];
  const inner = { onEnd: (span: ReadableSpan) => void taken.push(span) } as unknown as SpanProcessor;
  const queue: SpanQueue = { waiting: 0, limit: 3, waitingUnits: 0, unitLimit: 1_000, dropped: 0 };
  const processor = toCountedProcessor(inner, queue);
  const end = (units: number) => processor.onEnd({ attributes: { text: 'x'.repeat(units), count: 7 } } as unknown as ReadableSpan);
  for (const units of [600, 600, 400, 0, 0]) end(units);
  expect(taken.map(({ attributes }) => String(attributes['text']).length)).toEqual([600, 400, 0]);
  expect(queue).toMatchObject({ waiting: 3, waitingUnits: 1_000, dropped: 2 });
});
