/** Raw websocket frames that no client of the protocol sends close the connection. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { until } from '../support/until';

let bench: AgentBench;
/** The age in milliseconds at which a connection was closed that never sent a CONNECT; it waits while the other tests run. */
let silentFor: Promise<number>;

beforeAll(async () => {
  bench = await startBench();
  silentFor = ageAtClose();
  silentFor.catch(() => {});
});

afterAll(() => bench?.stop());

interface RawSocket {
  /** Text frames received so far; the first is the opening packet of Engine.IO. */
  readonly frames: string[];
  send(...frames: string[]): void;
  /** Resolves with the first frame that starts with this text, past or future. */
  frame(start: string): Promise<string>;
  isClosed(): boolean;
  close(): void;
}

async function openSocket(): Promise<RawSocket> {
  const socket = new WebSocket(`${bench.gateway.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const frames: string[] = [];
  const watchers = new Set<() => void>();
  socket.addEventListener('message', ({ data }) => {
    frames.push(String(data));
    for (const watch of [...watchers]) watch();
  });
  const frame = (start: string) =>
    new Promise<string>(resolve => {
      const watch = () => {
        const found = frames.find(text => text.startsWith(start));
        if (found === undefined) return;
        watchers.delete(watch);
        resolve(found);
      };
      watchers.add(watch);
      watch();
    });
  await frame('0{');
  const send = (...texts: string[]) => {
    for (const text of texts) socket.send(text);
  };
  const isClosed = () => socket.readyState === WebSocket.CLOSED;
  return { frames, send, frame, isClosed, close: () => socket.close() };
}

async function openConnected(): Promise<RawSocket> {
  const socket = await openSocket();
  socket.send('40');
  await socket.frame('40{');
  return socket;
}

async function ageAtClose(): Promise<number> {
  const opened = performance.now();
  const socket = await openSocket();
  await until(socket.isClosed);
  return performance.now() - opened;
}

describe('a connection is closed', () => {
  it.each([
    ['half a binary event', '451-["message",{"_placeholder":true,"num":0}]'],
    ['half a binary acknowledgement', '461-1[{"_placeholder":true,"num":0}]'],
    ['a second CONNECT', '40'],
    ['a second CONNECT with the namespace written out', '40/,{}'],
  ])('by %s', async (_what, packet) => {
    const socket = await openConnected();
    socket.send(packet);
    expect(await until(socket.isClosed)).toBe(true);
  });

  it.each([
    ['half a binary event before CONNECT', '451-["message",{"_placeholder":true,"num":0}]'],
    ['a frame over 256 KiB before CONNECT', `40{"token":"${'x'.repeat(300_000)}"}`],
    ['an endless namespace, which is not repeated in a reply', `40/${'x'.repeat(5_000)},`],
  ])('by %s', async (_what, packet) => {
    const socket = await openSocket();
    socket.send(packet);
    expect(await until(socket.isClosed)).toBe(true);
    expect(socket.frames).toHaveLength(1);
  });

  it('by two CONNECTs in a row, so that no client gets two identities', async () => {
    const socket = await openSocket();
    socket.send('40{"clientId":"a"}', '40{"clientId":"b"}');
    expect(await until(socket.isClosed)).toBe(true);
    expect(socket.frames.filter(frame => frame.startsWith('40{')).length).toBeLessThanOrEqual(1);
  });

  it('without a CONNECT for 10 s', async () => {
    expect(await silentFor).toBeLessThan(14_000);
  });
});

it('an unknown namespace is refused with a message', async () => {
  const socket = await openSocket();
  socket.send('40/admin,');
  expect(await socket.frame('44/admin,')).toContain('Invalid namespace');
  socket.close();
});

it('a regular client is served afterwards', async () => {
  const client = await bench.connect();
  expect(await client.send({ type: 'ping' })).toEqual({ ok: true });
});
