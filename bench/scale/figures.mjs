/** The figures of one database, each in the unit that its name says. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openBuiltStore } from '../built_store.mjs';
import { openChat, openSocket } from '../gateway/clients.mjs';
import { cpuMs, residentKiB, startHost } from '../gateway/processes.mjs';
import { FIRST_LONG_RUN, LONG_RUN, LONG_SESSION } from './fill.mjs';

const TURNS = 40;
const REPEATS = 15;
const STARTS = 3;
/** Milliseconds without an event after which a replay is over. */
const QUIET_MS = 700;

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export async function measureStart({ root, dataDir, modelUrl }) {
  const ready = [];
  const idle = [];
  for (let i = 0; i < STARTS; i += 1) {
    const host = await startHost({ root, dataDir }, modelUrl);
    ready.push(host.readyMs);
    idle.push(residentKiB(host.pid) / 1024);
    await host.stop();
  }
  return { 'ready, ms': median(ready), 'memory after the start, MiB': median(idle) };
}

export async function measureLists({ url }) {
  const page = path => get(`${url}/api/v1${path}`);
  const late = await lateCursor(path => page(path), '/sessions?limit=200');
  const lateMessages = await lateCursor(path => page(path), `/sessions/${LONG_SESSION}/messages?limit=200`);
  const middle = Math.floor((await page(`/runs/${LONG_RUN}`)).lastSeq / 2) || 0;
  const paths = {
    'sessions, first page': '/sessions?limit=50',
    'sessions, late page': `/sessions?limit=50${late}`,
    'messages of the long session, first page': `/sessions/${LONG_SESSION}/messages?limit=50`,
    'messages of the long session, late page': `/sessions/${LONG_SESSION}/messages?limit=50${lateMessages}`,
    'runs, first page': '/runs?limit=50',
    'runs of an old session': '/runs?limit=50&sessionId=ses_0',
    'runs of the long session': `/runs?limit=50&sessionId=${LONG_SESSION}`,
    'runs that wait': '/runs?limit=50&status=waiting',
    'runs that failed': '/runs?limit=50&status=failed',
    'tool calls of an old session': '/tool-executions?limit=50&session=ses_0',
    'events of the long run, from the middle': `/runs/${LONG_RUN}/events?limit=200&after=${middle}`,
  };
  const figures = {};
  for (const [name, path] of Object.entries(paths)) figures[`${name}, ms`] = await medianTime(() => page(path));
  return figures;
}

/** The cursor of the last page but one, as a part of a query; empty when there is only one page. */
async function lateCursor(read, path) {
  let cursor = '';
  for (let page = await read(path); page.nextCursor; page = await read(path + cursor)) {
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
  return cursor;
}

/** Replays the long session from its first event. */
export async function measureReplay({ url, pid }) {
  const socket = await openSocket(url);
  const memoryBefore = residentKiB(pid);
  const cpuBefore = cpuMs(pid);
  const sent = performance.now();
  let first;
  let last = sent;
  let events = 0;
  let memory = memoryBefore;
  socket.on('message', message => {
    if (!('seq' in message)) return;
    first ??= performance.now() - sent;
    last = performance.now();
    events += 1;
    if (events % 2_000 === 0) memory = Math.max(memory, residentKiB(pid));
  });
  const ack = await socket.emitWithAck('message', { type: 'subscribe', sessionId: LONG_SESSION, after: { runId: FIRST_LONG_RUN, seq: 0 } });
  if (!ack.ok) throw new Error(`the subscription was refused: ${JSON.stringify(ack.error)}`);
  while (performance.now() - last < QUIET_MS) await new Promise(resolve => setTimeout(resolve, 50));
  socket.close();
  return {
    'replay, first event, ms': first,
    'replay, events': events,
    'replay, CPU per 1,000 events, ms': ((cpuMs(pid) - cpuBefore) / events) * 1_000,
    'replay, memory growth, MiB': (memory - memoryBefore) / 1024,
  };
}

/** CPU of a turn in a new session and in the long one. */
export async function measureTurns({ url, pid }) {
  const figures = {};
  const places = { 'turn in a new session': undefined, 'turn in the long session': LONG_SESSION };
  for (const [name, sessionId] of Object.entries(places)) {
    const client = await openChat(url, sessionId);
    for (let i = 0; i < 10; i += 1) await client.turn('plain');
    const before = cpuMs(pid);
    for (let i = 0; i < TURNS; i += 1) await client.turn('plain');
    figures[`${name}, CPU ms`] = (cpuMs(pid) - before) / TURNS;
    client.close();
  }
  return figures;
}

/** The queries of every heartbeat, then the hourly cleaning, in this process. */
export async function measureStore({ root, dataDir }) {
  const require = createRequire(join(root, 'package.json'));
  const { Housekeeping } = require('./dist/src/service/housekeeping/housekeeping.js');
  const store = await openBuiltStore({ root, path: join(dataDir, 'neta.db') });
  const { read } = store;
  const heartbeat = {
    'unfinished runs': () => read.runs.unfinished(),
    'orphaned runs': () => read.runs.orphaned(Date.now()),
    'running direct calls': () => read.toolExecutions.runningDirectCalls(),
    'lease renewal': () => store.transaction('none', tx => tx.nodeLeases.renew('bench', { now: Date.now(), lengthMs: 15_000 })),
  };
  const figures = {};
  for (const [name, query] of Object.entries(heartbeat)) figures[`${name}, ms`] = await medianTime(query);
  const onError = (message, thrown) => console.error(message, thrown);
  const housekeeping = new Housekeeping({
    store,
    clock: { now: Date.now },
    endAbandonedCalls: () => read.toolExecutions.runningDirectCalls(),
    onError,
  });
  const { totalMs, longestMs } = await watchLoop(() => housekeeping.cleanUp());
  figures['cleaning, longest block, ms'] = longestMs;
  figures['cleaning, in all, ms'] = totalMs;
  const deletion = await watchLoop(async () => {
    while (await store.transaction('none', async tx => tx.sessions.deletePart?.('default', LONG_SESSION)));
    await store.transaction('none', tx => tx.sessions.delete('default', LONG_SESSION));
  });
  figures['deletion of the long session, longest block, ms'] = deletion.longestMs;
  await store.close();
  return figures;
}

/** Runs `work` and measures the longest time for which it held the event loop. */
async function watchLoop(work) {
  const started = performance.now();
  let isDone = false;
  let longestMs = 0;
  const done = work().finally(() => {
    isDone = true;
  });
  for (let before = performance.now(); !isDone; before = performance.now()) {
    await nextTurn();
    longestMs = Math.max(longestMs, performance.now() - before);
  }
  await done;
  return { totalMs: performance.now() - started, longestMs };
}

async function medianTime(call) {
  await call();
  const times = [];
  for (let i = 0; i < REPEATS; i += 1) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  return median(times);
}

async function get(url) {
  const response = await fetch(url);
  const body = await response.json();
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(body)}`);
  return body;
}
