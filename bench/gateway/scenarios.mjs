/**
 * Each scenario runs against one host and gives its figures; smaller is better. `kind`: the kind of door that it needs. `withPeers`: the
 * frameworks of peers/ take part. `tools`: number of tools that the host offers to the model.
 */
import { openChat, openSlowReader, openStream } from './clients.mjs';
import { cpuMs, residentKiB } from './processes.mjs';

const TOKENS = 200;
const FAST_READERS = 16;
const SLOW_READERS = 4;
const FLOODS = 4;
const IDLE_BATCH = 100;

/** Runs `turns` turns on each of `sessions` clients at the same time; resolves with CPU per turn and the results of all turns. `text` may depend on the turn. */
async function runTurns(host, { open, sessions, turns, text }) {
  const clients = await Promise.all(Array.from({ length: sessions }, () => open(host.url)));
  const before = cpuMs(host.pid);
  const results = await Promise.all(
    clients.map(async client => {
      const own = [];
      for (let turn = 0; turn < turns; turn += 1) own.push(await client.turn(typeof text === 'function' ? text(turn) : text));
      return own;
    }),
  );
  const cpu = cpuMs(host.pid) - before;
  for (const client of clients) client.close();
  return { cpuPerTurn: cpu / (sessions * turns), results: results.flat() };
}

/** Lets the engine compile the hot paths before anything is measured. */
const warmUp = open => host => runTurns(host, { open, sessions: 8, turns: 25, text: 'hello' });

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const p99 = values => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)];

const costOf = turns => async host => {
  const { cpuPerTurn, results } = await runTurns(host, turns);
  const isAlone = turns.sessions === 1;
  return { 'CPU per turn, ms': cpuPerTurn, ...(isAlone && { 'first text, ms': median(results.map(({ firstTextMs }) => firstTextMs)) }) };
};

const paced = sessions => async host => {
  const { cpuPerTurn, results } = await runTurns(host, { open: openChat, sessions, turns: 1, text: 'paced' });
  return { 'CPU per token, µs': (cpuPerTurn / TOKENS) * 1_000, 'lag p99, ms': p99(results.flatMap(({ lags }) => lags)) };
};

const idle = sockets => async host => {
  const before = residentKiB(host.pid);
  const clients = [];
  while (clients.length < sockets) clients.push(...(await Promise.all(Array.from({ length: IDLE_BATCH }, () => openChat(host.url)))));
  const after = residentKiB(host.pid);
  for (const client of clients) client.close();
  return { 'memory per socket, KiB': (after - before) / sockets };
};

/** Readers that read nothing are sent long answers while the fast ones follow paced answers. */
async function readSlowly(host) {
  const before = residentKiB(host.pid);
  const slow = await Promise.all(Array.from({ length: SLOW_READERS }, () => openSlowReader(host.url)));
  for (const reader of slow) reader.send(Array.from({ length: FLOODS }, () => 'flood'));
  const { cpuPerTurn, results } = await runTurns(host, { open: openChat, sessions: FAST_READERS, turns: 1, text: 'paced' });
  const after = residentKiB(host.pid);
  for (const reader of slow) reader.close();
  return {
    'CPU of all, ms': cpuPerTurn * FAST_READERS,
    'lag p99 of the fast, ms': p99(results.flatMap(({ lags }) => lags)),
    'memory growth, MiB': (after - before) / 1024,
  };
}

/** A chat whose session has 200 messages before the turns that count. */
async function openWithHistory(url) {
  const client = await openChat(url);
  for (let turn = 0; turn < 100; turn += 1) await client.turn('plain');
  return client;
}

const socket = { kind: 'socket', warmUp: warmUp(openChat) };
const stream = { kind: 'stream', warmUp: warmUp(openStream) };
const one = { open: openChat, sessions: 1 };

export const SCENARIOS = {
  start: {
    kind: 'socket',
    withPeers: true,
    run: async host => ({ 'ready, ms': host.readyMs, 'idle memory, MiB': residentKiB(host.pid) / 1024 }),
  },
  'one session': { ...socket, withPeers: true, run: costOf({ ...one, turns: 60, text: 'hello' }) },
  '64 sessions': { ...socket, withPeers: true, run: costOf({ open: openChat, sessions: 64, turns: 8, text: 'hello' }) },
  '50 paced sessions': { ...socket, withPeers: true, run: paced(50) },
  '200 paced sessions': { ...socket, withPeers: true, run: paced(200) },
  '500 paced sessions': { ...socket, run: paced(500) },
  '200 earlier messages': { ...socket, withPeers: true, run: costOf({ open: openWithHistory, sessions: 1, turns: 30, text: 'plain' }) },
  '64 event streams': { ...stream, run: costOf({ open: openStream, sessions: 64, turns: 8, text: 'hello' }) },
  'a slow reader': { ...socket, run: readSlowly },
  'a turn with a patch': { ...socket, run: costOf({ ...one, turns: 60, text: turn => `patch ${turn}` }) },
  '100 tools': { ...socket, tools: 100, run: costOf({ ...one, turns: 60, text: 'hello' }) },
  '5,000 idle sockets': { kind: 'socket', run: idle(5_000) },
};
