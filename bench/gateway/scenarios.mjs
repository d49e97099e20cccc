/** Each scenario runs against one host and gives its figures; smaller is better. `kind`: the kind of door that it needs. */
import { openChat, openStream } from './clients.mjs';
import { cpuMs, residentKiB } from './processes.mjs';

const TOKENS = 200;

/** Runs `turns` turns on each of `sessions` clients at the same time; resolves with CPU per turn and the results of all turns. */
async function runTurns(host, { open, sessions, turns, text }) {
  const clients = await Promise.all(Array.from({ length: sessions }, () => open(host.url)));
  const before = cpuMs(host.pid);
  const results = await Promise.all(
    clients.map(async client => {
      const own = [];
      for (let turn = 0; turn < turns; turn += 1) own.push(await client.turn(text));
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

const paced = sessions => async host => {
  const { cpuPerTurn, results } = await runTurns(host, { open: openChat, sessions, turns: 1, text: 'paced' });
  return { 'CPU per token, µs': (cpuPerTurn / TOKENS) * 1_000, 'lag p99, ms': p99(results.flatMap(({ lags }) => lags)) };
};

export const SCENARIOS = {
  start: {
    kind: 'socket',
    run: async host => ({ 'ready, ms': host.readyMs, 'idle memory, MiB': residentKiB(host.pid) / 1024 }),
  },
  'one session': {
    kind: 'socket',
    warmUp: warmUp(openChat),
    async run(host) {
      const { cpuPerTurn, results } = await runTurns(host, { open: openChat, sessions: 1, turns: 60, text: 'hello' });
      return { 'CPU per turn, ms': cpuPerTurn, 'first text, ms': median(results.map(({ firstTextMs }) => firstTextMs)) };
    },
  },
  '64 sessions': {
    kind: 'socket',
    warmUp: warmUp(openChat),
    async run(host) {
      const { cpuPerTurn } = await runTurns(host, { open: openChat, sessions: 64, turns: 8, text: 'hello' });
      return { 'CPU per turn, ms': cpuPerTurn };
    },
  },
  '50 paced sessions': { kind: 'socket', warmUp: warmUp(openChat), run: paced(50) },
  '200 paced sessions': { kind: 'socket', warmUp: warmUp(openChat), run: paced(200) },
  '200 earlier messages': {
    kind: 'socket',
    warmUp: warmUp(openChat),
    async run(host) {
      const { cpuPerTurn } = await runTurns(host, { open: openWithHistory, sessions: 1, turns: 30, text: 'plain' });
      return { 'CPU per turn, ms': cpuPerTurn };
    },
  },
  '64 event streams': {
    kind: 'stream',
    warmUp: warmUp(openStream),
    async run(host) {
      const { cpuPerTurn } = await runTurns(host, { open: openStream, sessions: 64, turns: 8, text: 'hello' });
      return { 'CPU per turn, ms': cpuPerTurn };
    },
  },
  '2,000 idle sockets': {
    kind: 'socket',
    async run(host) {
      const before = residentKiB(host.pid);
      const clients = [];
      for (let i = 0; i < 20; i += 1) clients.push(...(await Promise.all(Array.from({ length: 100 }, () => openChat(host.url)))));
      const after = residentKiB(host.pid);
      for (const client of clients) client.close();
      return { 'memory per socket, KiB': (after - before) / clients.length };
    },
  },
};

/** A chat whose session has 200 messages before the turns that count. */
async function openWithHistory(url) {
  const client = await openChat(url);
  for (let turn = 0; turn < 100; turn += 1) await client.turn('plain');
  return client;
}
