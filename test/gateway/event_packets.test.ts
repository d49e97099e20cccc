/** Event packets over real connections. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket as NetSocket } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { io } from 'socket.io-client';
import { EventPackets } from '../../src/gateway/event_packets';
import { numberEvent } from '../../src/service/run_log/run_entry';

let server: Server;
let url: string;

beforeEach(async () => {
  const http = createServer();
  server = new Server(http);
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});

afterEach(() => server.close());

/** Collects what the client gets; `end` ends the collection. */
async function connect() {
  const client = io(url, { transports: ['websocket'], forceNew: true });
  const texts: string[] = [];
  const ended = new Promise<string[]>(resolve => {
    client.on('message', event => (event.data.text === 'end' ? resolve(texts) : texts.push(event.data.text)));
  });
  const [socket] = (await once(server, 'connection')) as [Socket];
  if (!client.connected) await new Promise<void>(resolve => client.on('connect', resolve));
  const line = (socket.conn as unknown as { transport: { socket: { _socket: NetSocket } } }).transport.socket._socket;
  const writes: unknown[] = [];
  const write = line.write.bind(line);
  line.write = ((...args: Parameters<NetSocket['write']>) => {
    writes.push(args[0]);
    return write(...args);
  }) as NetSocket['write'];
  const close = async () => {
    const left = once(socket, 'disconnect');
    client.close();
    await left;
  };
  return { socket, client, packets: new EventPackets(socket), writes, ended, close };
}

const eventOf = (text: string) => numberEvent({ id: 'run_1', sessionId: 'ses_1' }, 1, 0, { type: 'text_delta', data: { text } });
const nextTurn = () => new Promise(resolve => setImmediate(resolve));

it('writes the events of one turn of the event loop at once, whatever the lengths of their frames', async () => {
  const { packets, writes, ended, close } = await connect();
  const texts = ['', 'short', '长'.repeat(50), 'x'.repeat(3_000)];
  for (const text of [...texts, 'end']) packets.add(eventOf(text));
  expect(await ended).toEqual(texts);
  expect(writes).toHaveLength(1);
  await close();
});

it('writes events before an ack that follows them in the same turn', async () => {
  const { socket, client, packets, ended, close } = await connect();
  socket.on('cancel', (ack: () => void) => {
    for (const text of ['a', 'end']) packets.add(eventOf(text));
    ack();
  });
  const order: string[] = [];
  void ended.then(() => order.push('events'));
  await client.emitWithAck('cancel').then(() => order.push('ack'));
  expect(order).toEqual(['events', 'ack']);
  await close();
});

it('holds progress back until the text behind it, and never behind an ack', async () => {
  const { socket, client, packets, writes, close } = await connect();
  const types: string[] = [];
  client.on('message', event => types.push(event.type));
  const progress = numberEvent({ id: 'run_1', sessionId: 'ses_1' }, 1, 0, { type: 'usage', data: { inputTokens: 1, outputTokens: 1 } });
  packets.add(progress);
  await nextTurn();
  expect(writes).toEqual([]);
  packets.add(eventOf('a'));
  await nextTurn();
  expect(writes).toHaveLength(1);
  socket.on('cancel', (ack: () => void) => ack());
  packets.add(progress);
  await client.emitWithAck('cancel');
  expect(types).toEqual(['usage', 'text_delta', 'usage']);
  await close();
});

it.each([10, 70_000])('shares the bytes of an event with %d characters between connections', async length => {
  const [one, other] = [await connect(), await connect()];
  const text = 'x'.repeat(length);
  const event = eventOf(text);
  for (const { packets } of [one, other]) packets.add(event);
  await nextTurn();
  const end = eventOf('end');
  for (const { packets } of [one, other]) packets.add(end);
  expect(await Promise.all([one.ended, other.ended])).toEqual([[text], [text]]);
  expect(one.writes).toHaveLength(2);
  expect(one.writes[0]).toBe(other.writes[0]);
  await one.close();
  await other.close();
});

it('sends each event as its own packet over polling', async () => {
  const poll = async (options?: RequestInit, query = '') =>
    (await fetch(`${url}/socket.io/?EIO=4&transport=polling${query}`, options)).text();
  const query = `&sid=${JSON.parse((await poll()).slice(1)).sid}`;
  const connected = once(server, 'connection');
  await poll({ method: 'POST', body: '40' }, query);
  const [socket] = (await connected) as [Socket];
  await poll({}, query);
  const packets = new EventPackets(socket);
  const events = [eventOf('a'), eventOf('b')];
  for (const event of events) packets.add(event);
  await nextTurn();
  expect(await poll({}, query)).toBe(events.map(event => `42["message",${JSON.stringify(event)}]`).join('\x1e'));
  socket.disconnect(true);
});
