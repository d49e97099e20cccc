/** How much later readers at another gateway see a run than readers at its own gateway, and how much later answers and cancels arrive there. */
import { openSocket } from '../gateway/clients.mjs';
import { loadOfMachine, median, printTable, quantile, sleep, startGateways, stopGateways } from './lab.mjs';

const READERS = 200;
const BEGIN_OVER_MS = 2_000;
const COMMANDS = 30;
const AUTH = { capabilities: ['clarify@1'] };
const END_LIMIT_MS = 60_000;

export async function measureReaders(lab) {
  const gateways = await startGateways(lab, { count: 2, databaseUrl: await lab.createDatabase() });
  const [own, other] = gateways;
  try {
    await measureText(own, other);
    const rows = [];
    for (const [name, measure] of Object.entries({ 'answer to a question': timeOfAnswer, cancel: timeOfCancel })) {
      const times = { own: [], other: [] };
      for (let i = 0; i < COMMANDS; i += 1) {
        times.own.push(await measure(own, own));
        times.other.push(await measure(own, other));
      }
      const row = share => ({ own: quantile(times.own, share), other: quantile(times.other, share) });
      const [half, most] = [row(0.5), row(0.9)];
      rows.push({
        command: name,
        'own gateway p50 ms': half.own,
        'other gateway p50 ms': half.other,
        'more, p50 ms': half.other - half.own,
        'more, p90 ms': most.other - most.own,
        'load of the machine': loadOfMachine(),
      });
    }
    printTable(`Commands until the end of the run, ${COMMANDS} at each gateway`, rows);
  } finally {
    await stopGateways(gateways);
  }
}

/** 200 runs at one gateway, each with a reader there and a reader at the other gateway. */
async function measureText(own, other) {
  const runs = await Promise.all(Array.from({ length: READERS }, (_, i) => followRun(own, other, (i / READERS) * BEGIN_OVER_MS)));
  const all = field => runs.flatMap(run => run[field]);
  const ends = runs.flatMap(({ otherEnd, ownEnd }) => (otherEnd === undefined ? [] : [otherEnd - ownEnd]));
  const sum = field => runs.reduce((total, run) => total + run[field], 0);
  const row = (reader, lags, disorder) => ({
    reader,
    tokens: lags.length,
    'late p50 ms': median(lags),
    'late p99 ms': quantile(lags, 0.99),
    'events out of order': disorder,
  });
  printTable(`Text of ${READERS} runs, ${READERS} readers at each gateway; load of the machine ${loadOfMachine()}`, [
    row('own gateway', all('ownLags'), sum('ownDisorder')),
    row('other gateway', all('otherLags'), sum('otherDisorder')),
  ]);
  printTable('More at the other gateway', [
    {
      'text p99 ms': quantile(all('otherLags'), 0.99) - quantile(all('ownLags'), 0.99),
      'run_end p50 ms': median(ends),
      'run_end p99 ms': quantile(ends, 0.99),
      'ends not seen': READERS - ends.length,
    },
  ]);
}

async function followRun(own, other, delayMs) {
  const sessionId = await createSession(own);
  const writer = await openSocket(own.url, AUTH);
  const reader = await openSocket(other.url, AUTH);
  await reader.emitWithAck('message', { type: 'subscribe', sessionId });
  const here = watch(writer);
  const there = watch(reader);
  await sleep(delayMs);
  const ack = await writer.emitWithAck('message', { type: 'chat', text: 'paced', sessionId });
  if (!ack.ok) throw new Error(`a message was refused: ${JSON.stringify(ack.error)}`);
  await within(here.ended, END_LIMIT_MS);
  await within(there.ended, 5_000);
  writer.close();
  reader.close();
  return {
    ...{ ownLags: here.lags, ownEnd: here.endedAt, ownDisorder: here.disorder },
    ...{ otherLags: there.lags, otherEnd: there.endedAt, otherDisorder: there.disorder },
  };
}

function watch(socket) {
  const seen = { lags: [], endedAt: undefined, disorder: 0 };
  let lastSeq = 0;
  seen.ended = new Promise(resolve => {
    socket.on('message', message => {
      const now = Date.now();
      if (message.seq !== lastSeq + 1) seen.disorder += 1;
      lastSeq = message.seq;
      if (message.type === 'text_delta') for (const [, sent] of message.data.text.matchAll(/@(\d+) /g)) seen.lags.push(now - Number(sent));
      if (message.type !== 'run_end') return;
      seen.endedAt = performance.now();
      resolve();
    });
  });
  return seen;
}

const within = (promise, ms) => Promise.race([promise, sleep(ms)]);

async function createSession({ url }) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1/sessions`, { method: 'POST', headers, body: '{"title":"bench"}' });
  return (await response.json()).id;
}

/** Milliseconds from an answer at `answering` to the end of the run at `own`. */
async function timeOfAnswer(own, answering) {
  const sessionId = await createSession(own);
  const [writer, person] = [await openSocket(own.url, AUTH), await openSocket(answering.url, AUTH)];
  await person.emitWithAck('message', { type: 'subscribe', sessionId });
  const asked = next(person, 'clarify_request');
  const ended = next(writer, 'run_end');
  await writer.emitWithAck('message', { type: 'chat', text: 'ask', sessionId });
  const { requestId } = (await asked).data;
  const started = performance.now();
  const ack = await person.emitWithAck('message', { type: 'clarify_response', sessionId, requestId, answer: 'this' });
  if (!ack.ok) throw new Error(`an answer was refused: ${JSON.stringify(ack.error)}`);
  await ended;
  const took = performance.now() - started;
  for (const socket of [writer, person]) socket.close();
  return took;
}

/** Milliseconds from a cancel at `cancelling` to the end of the run at `own`. */
async function timeOfCancel(own, cancelling) {
  const writer = await openSocket(own.url, AUTH);
  const begun = next(writer, 'text_delta');
  const ended = next(writer, 'run_end');
  const { runId } = await writer.emitWithAck('message', { type: 'chat', text: 'paced' });
  await begun;
  const started = performance.now();
  const response = await fetch(`${cancelling.url}/api/v1/runs/${runId}/cancel`, { method: 'POST' });
  if (!response.ok) throw new Error(`a cancel was refused: HTTP ${response.status}`);
  await ended;
  const took = performance.now() - started;
  writer.close();
  return took;
}

function next(socket, type) {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`${type} did not come within ${END_LIMIT_MS} ms`)), END_LIMIT_MS);
    socket.on('message', function look(message) {
      if (message.type !== type) return;
      clearTimeout(limit);
      socket.off('message', look);
      resolve(message);
    });
  });
}
