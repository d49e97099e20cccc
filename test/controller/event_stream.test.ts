/** Event streams over a real HTTP connection. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Context } from '@midwayjs/koa';
import { EventStream } from '../../src/controller/event_stream';
import type { EventSink } from '../../src/service/run_log/event_sink';
import { numberEvent } from '../../src/service/run_log/run_entry';
import type { RunSubscription } from '../../src/service/run_log/run_subscription';

const eventOf = (seq: number, text = 'a') =>
  numberEvent({ id: 'run_1', sessionId: 'ses_1' }, seq, 0, { type: 'text_delta', data: { text } });

it('sends the headers and the events of one turn of the event loop in one write, and a large event by itself', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let sink: EventSink = () => {};
  const writes: number[] = [];
  const subscription = {
    start: async () => void sink([eventOf(1), eventOf(2)]),
    stop: end,
    ended,
  } as unknown as RunSubscription;
  const server = createServer((_request, res) => {
    const line = res.socket as Socket & { _writev: (chunks: unknown[], done: () => void) => void };
    const writev = line._writev.bind(line);
    line._writev = (chunks, done) => {
      writes.push(chunks.length);
      writev(chunks, done);
    };
    const stream = new EventStream({ res, state: {} } as Context, own => {
      sink = own;
      return subscription;
    });
    void stream.answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [answer] = (await once(get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
  answer.setEncoding('utf8');
  let body = String((await once(answer, 'data'))[0]);
  expect(writes).toHaveLength(1);
  answer.on('data', piece => {
    body += piece;
  });
  void sink([eventOf(3, 'x'.repeat(20_000)), eventOf(4)]);
  await new Promise(resolve => setImmediate(resolve));
  end();
  await once(answer, 'end');
  expect([...body.matchAll(/^id: (\d)$/gm)].map(([, id]) => Number(id))).toEqual([1, 2, 3, 4]);
  server.close();
});
