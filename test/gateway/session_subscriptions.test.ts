/** Measures the memory that a slow connection costs, over a real websocket. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket as NetSocket } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { io } from 'socket.io-client';
import { createSystemClock } from '../../src/adapter/local/node/clock';
import { SessionSubscriptions } from '../../src/gateway/session_subscriptions';
import { bufferedBytes } from '../../src/gateway/socket_backpressure';
import type { RunEvent } from '../../src/port/run_event';
import { EventPageCache } from '../../src/service/run_log/event_page_cache';
import { ReaderScheduler } from '../../src/service/run_log/reader_scheduler';
import { RunSubscription } from '../../src/service/run_log/run_subscription';
import { openRun } from '../support/run_writer';
import { TENANT } from '../support/store_records';
import { openTemporaryStore } from '../support/temporary_store';

const MEBIBYTE = 2 ** 20;
const LARGE = { count: 200, text: 'x'.repeat(100_000) };

/** The TCP socket below a connection. */
const lineOf = (socket: Socket) => (socket.conn as unknown as { transport: { socket: { _socket: NetSocket } } }).transport.socket._socket;

async function connect() {
  const http = createServer();
  const server = new Server(http);
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const client = io(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: ['websocket'], forceNew: true });
  const [socket] = (await once(server, 'connection')) as [Socket];
  if (!client.connected) await new Promise<void>(resolve => client.on('connect', resolve));
  const line = (client.io.engine as unknown as { transport: { ws: { _socket: NetSocket } } }).transport.ws._socket;
  const close = async () => {
    client.close();
    await server.close();
  };
  return { socket, client, line, close };
}

it('a connection that does not read buffers at most 1 MiB of stored and live events, and gets all of them once it reads', async () => {
  const temporary = await openTemporaryStore();
  const { store } = temporary;
  const { socket, client, line, close } = await connect();
  const { run, bus, writer } = await openRun(store);
  const got: RunEvent[] = [];
  client.on('message', (event: RunEvent) => got.push(event));
  line.pause();
  let maxBytes = 0;
  const write = async (text: string) => {
    for (let i = 0; i < LARGE.count; i++) {
      writer.delta({ type: 'text_delta', data: { text: `small ${i} ` } });
      await writer.record({ type: 'message_end', data: { role: 'assistant', content: text } });
      maxBytes = Math.max(maxBytes, bufferedBytes(socket.conn) + lineOf(socket).writableLength);
    }
  };
  try {
    await write(LARGE.text);
    const pages = new EventPageCache(store, new ReaderScheduler());
    const subscriptions = new SessionSubscriptions(socket, {
      createSubscription: (request, sink) => new RunSubscription({ store, bus, clock: createSystemClock(), pages }, request, sink),
      look: () => ({ noteTyping: () => {}, endTyping: () => {}, leave: () => {} }),
      sentEvents: new Map(),
    });
    const request = { tenantId: TENANT, sessionId: run.sessionId, after: { runId: run.id, seq: 0 } };
    void subscriptions.subscribe(request);
    await write(LARGE.text);
    expect(maxBytes).toBeGreaterThan(MEBIBYTE / 8);
    expect(maxBytes).toBeLessThanOrEqual(MEBIBYTE);
    const last = 4 * LARGE.count;
    line.resume();
    while (got.at(-1)?.seq !== last) await once(line, 'data');
    expect(got.map(event => event.seq)).toEqual(Array.from({ length: last }, (_, i) => i + 1));
    subscriptions.stopAll();
  } finally {
    await close();
    await temporary.release();
  }
});
