/** Backpressure: many readers that never read share their memory and do not slow down other readers. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { EventLoopDelay } from '../../src/port/event_loop_monitor';
import { type AgentBench, startBench } from '../support/agent_bench';
import { textOf } from '../support/chat_client';

const MEBIBYTE = 2 ** 20;
const READERS = 50;
const MAX_GROWTH = 200 * MEBIBYTE;
/** Limit of the longest block of the event loop, in milliseconds of CPU time. */
const MAX_BLOCK_MS = 250;
const TEXT = 'lorem ipsum dolor '.repeat(211_000);

let bench: AgentBench;
/** Two runs in two sessions, because a session accepts 64 readers. */
let runs: { sessionId: string; runId: string }[];

beforeAll(async () => {
  bench = await startBench({ own: 'it is killed' });
  bench.model.onTurn('a very long story', { text: TEXT, chunkSize: 4_000 });
  const answers = [await bench.rest.run({ input: 'a very long story' }), await bench.rest.run({ input: 'a very long story' })];
  runs = answers.map(({ body }) => body);
  expect(answers.map(({ body }) => body.text === TEXT)).toEqual([true, true]);
});

afterAll(() => bench?.stop());

/** Restarts the gateway. Measures the growth of its memory and the longest block of its event loop since then. */
async function startAfresh(): Promise<{ growth(): Promise<number>; longestBlock(): Promise<number> }> {
  await bench.gateway.restart();
  const before = await residentBytes();
  return {
    growth: async () => (await residentBytes()) - before,
    longestBlock: async () => {
      const { body } = await bench.rest.request<{ eventLoop: EventLoopDelay }>('GET', '//readyz');
      return body.eventLoop.busyMaxMs;
    },
  };
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${bench.gateway.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Requests the events of a run and never reads the response. Resolves when its first bytes have arrived. */
async function openStalledStream(id: string): Promise<Socket> {
  const { port, host } = new URL(bench.gateway.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET /api/v1/runs/${id}/events HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`);
  await once(socket, 'readable');
  expect(String(socket.read(12))).toBe('HTTP/1.1 200');
  return socket;
}

/** Subscribes to the session and never reads from the socket. */
async function openStalledChat({ sessionId, runId } = runs[0]!): Promise<Socket> {
  const client = await bench.connect();
  const engine = client.socket.io.engine as unknown as { transport: { ws: { _socket: Socket } } };
  client.socket.emit('message', { type: 'subscribe', sessionId, after: { runId, seq: 0 } });
  return engine.transport.ws._socket.pause();
}

/** Reads the whole run like a usual client. */
async function readWhole(runId: string): Promise<void> {
  const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
  expect(events.map(event => event.seq)).toEqual(events.map((_, i) => i + 1));
  const end = events.at(-1);
  // Compare to a boolean, so that a failure does not print megabytes.
  expect(textOf(events) === TEXT).toBe(true);
  expect(end?.type === 'run_end' && end.data.text === TEXT).toBe(true);
}

it('keeps 100 unread event streams of two runs of 3.8 MB under 200 MiB, and a usual reader gets everything in order', async () => {
  const { growth, longestBlock } = await startAfresh();
  const stalled: Socket[] = [];
  for (const { runId } of runs) {
    stalled.push(...(await Promise.all(Array.from({ length: READERS }, () => openStalledStream(runId)))));
    await readWhole(runId);
  }
  expect(await growth()).toBeLessThan(MAX_GROWTH);
  expect(await longestBlock()).toBeLessThan(MAX_BLOCK_MS);
  for (const socket of stalled) socket.destroy();
});

it('keeps 50 unread sockets on a run of 3.8 MB under 200 MiB, and a usual reader gets everything in order', async () => {
  const { growth, longestBlock } = await startAfresh();
  const stalled = await Promise.all(Array.from({ length: READERS }, () => openStalledChat()));
  const { sessionId, runId } = runs[0]!;
  const reader = await bench.connect();
  await reader.send({ type: 'subscribe', sessionId, after: { runId, seq: 0 } });
  expect((await reader.endOf(runId)).data.text === TEXT).toBe(true);
  expect(reader.eventsOf(runId).map(event => event.seq)).toEqual(reader.eventsOf(runId).map((_, i) => i + 1));
  expect(await growth()).toBeLessThan(MAX_GROWTH);
  expect(await longestBlock()).toBeLessThan(MAX_BLOCK_MS);
  for (const socket of stalled) socket.destroy();
});
