/** Many readers that do not read cost what was promised: they share what is sent, and nobody else waits for them. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { EventLoopDelay } from '../../src/port/event_loop_monitor';
import { type AgentBench, startBench } from '../support/agent_bench';
import { textOf } from '../support/chat_client';

const MEBIBYTE = 2 ** 20;
const READERS = 50;
const MAX_GROWTH = 200 * MEBIBYTE;
/** Milliseconds of processor time in one stretch. */
const MAX_STRETCH_MS = 250;
const TEXT = 'lorem ipsum dolor '.repeat(211_000);

let bench: AgentBench;
/** Two runs, since a session takes 64 readers. */
let runs: { sessionId: string; runId: string }[];

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('a very long story', { text: TEXT, chunkSize: 4_000 });
  const answers = [await bench.rest.run({ input: 'a very long story' }), await bench.rest.run({ input: 'a very long story' })];
  runs = answers.map(({ body }) => body);
  expect(answers.map(({ body }) => body.text === TEXT)).toEqual([true, true]);
}, 60_000);

afterAll(() => bench?.stop());

/** Memory of the gateway and the longest stretch of work so far, in a process that did nothing before. */
async function startAfresh(): Promise<{ growth(): Promise<number>; stretch(): Promise<number> }> {
  await bench.gateway.restart();
  const before = await residentBytes();
  return {
    growth: async () => (await residentBytes()) - before,
    stretch: async () => {
      const { body } = await bench.rest.request<{ eventLoop: EventLoopDelay }>('GET', '//readyz');
      return body.eventLoop.busyMaxMs;
    },
  };
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${bench.gateway.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Asks for the events of a run and never reads the answer. Resolves when the first bytes are there. */
async function openStalledStream(id: string): Promise<Socket> {
  const { port, host } = new URL(bench.gateway.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET /api/v1/runs/${id}/events HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`);
  await once(socket, 'readable');
  expect(String(socket.read(12))).toBe('HTTP/1.1 200');
  return socket;
}

/** Follows the session and never reads what comes. */
async function openStalledChat({ sessionId, runId } = runs[0]!): Promise<Socket> {
  const client = await bench.connect();
  const engine = client.socket.io.engine as unknown as { transport: { ws: { _socket: Socket } } };
  client.socket.emit('message', { type: 'subscribe', sessionId, after: { runId, seq: 0 } });
  return engine.transport.ws._socket.pause();
}

/** The whole run as a usual reader gets it. */
async function readWhole(runId: string): Promise<void> {
  const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
  expect(events.map(event => event.seq)).toEqual(events.map((_, i) => i + 1));
  const end = events.at(-1);
  // Compared as a whole: a failure must not print megabytes.
  expect(textOf(events) === TEXT).toBe(true);
  expect(end?.type === 'run_end' && end.data.text === TEXT).toBe(true);
}

it('100 event streams that never read two runs of 3.8 MB stay under 200 MiB, and a usual reader among them gets everything in order', async () => {
  const { growth, stretch } = await startAfresh();
  const stalled: Socket[] = [];
  for (const { runId } of runs) {
    stalled.push(...(await Promise.all(Array.from({ length: READERS }, () => openStalledStream(runId)))));
    await readWhole(runId);
  }
  expect(await growth()).toBeLessThan(MAX_GROWTH);
  expect(await stretch()).toBeLessThan(MAX_STRETCH_MS);
  for (const socket of stalled) socket.destroy();
}, 60_000);

it('50 sockets that follow a run of 3.8 MB and never read stay under 200 MiB, and one that reads gets everything in order', async () => {
  const { growth, stretch } = await startAfresh();
  const stalled = await Promise.all(Array.from({ length: READERS }, () => openStalledChat()));
  const { sessionId, runId } = runs[0]!;
  const reader = await bench.connect();
  await reader.send({ type: 'subscribe', sessionId, after: { runId, seq: 0 } });
  expect((await reader.endOf(runId)).data.text === TEXT).toBe(true);
  expect(reader.eventsOf(runId).map(event => event.seq)).toEqual(reader.eventsOf(runId).map((_, i) => i + 1));
  expect(await growth()).toBeLessThan(MAX_GROWTH);
  expect(await stretch()).toBeLessThan(MAX_STRETCH_MS);
  for (const socket of stalled) socket.destroy();
}, 60_000);
