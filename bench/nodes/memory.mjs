/** Memory of a gateway on SQLite: after many turns, and with a reader that stopped reading. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openChat, openSocket } from '../gateway/clients.mjs';
import { makeTemporaryDirectory } from '../gateway/leftovers.mjs';
import { residentKiB } from '../gateway/processes.mjs';
import { loadOfMachine, printTable, sleep, startGateways, stopGateways } from './lab.mjs';

const CHATS = 48;
const TURNS_PER_SESSION = 10;
const PARTS = 4;
const BIG_ANSWERS = 8;
const SAMPLE_MS = 20;

/** Heap after collections of garbage, and resident memory, as turns in new sessions add up. */
export async function measureMemory(lab, { turns }) {
  const file = join(makeTemporaryDirectory('neta-heap-'), 'heap.json');
  const env = { NODE_OPTIONS: `--require ${join(import.meta.dirname, 'heap_probe.cjs')}`, BENCH_HEAP_FILE: file };
  const [gateway] = await startGateways(lab, { env });
  const rows = [];
  try {
    for (let part = 0; part <= PARTS; part += 1) {
      if (part > 0) await runTurns(gateway.url, turns / PARTS);
      rows.push({
        turns: Math.round((turns * part) / PARTS),
        ...(await readMemory(gateway.pid, file)),
        'load of the machine': loadOfMachine(),
      });
    }
    printTable(`Memory after turns, ${TURNS_PER_SESSION} in each session`, rows);
  } finally {
    await stopGateways([gateway]);
  }
}

async function runTurns(url, turns) {
  let left = turns;
  const chat = async () => {
    while (left > 0) {
      const client = await openChat(url);
      for (let turn = 0; turn < TURNS_PER_SESSION && left > 0; turn += 1) {
        left -= 1;
        await client.turn('plain');
      }
      client.close();
    }
  };
  await Promise.all(Array.from({ length: CHATS }, chat));
}

async function readMemory(pid, file) {
  // Work behind the runs, such as the index, ends first.
  await sleep(3_000);
  const resident = residentKiB(pid) / 1024;
  process.kill(pid, 'SIGUSR2');
  await sleep(1_500);
  const { heapUsed } = JSON.parse(readFileSync(file, 'utf8'));
  return { 'heap MB': heapUsed / 1e6, 'RSS MB before the collection': resident * 1.048576 };
}

/** Eight answers of 3.5 MB, one after the other, to a socket that stopped reading. */
export async function measureSlowReader(lab) {
  const [gateway] = await startGateways(lab);
  const api = `${gateway.url}/api/v1`;
  try {
    const socket = await openSocket(gateway.url);
    const { sessionId } = await socket.emitWithAck('message', { type: 'chat', text: 'plain' });
    await sleep(2_000);
    const start = residentKiB(gateway.pid);
    let peak = start;
    const timer = setInterval(() => {
      peak = Math.max(peak, residentKiB(gateway.pid));
    }, SAMPLE_MS);
    socket.io.engine.transport.ws._socket.pause();
    const headers = { 'content-type': 'application/json', prefer: 'respond-async' };
    for (let i = 0; i < BIG_ANSWERS; i += 1) {
      const response = await fetch(`${api}/runs`, { method: 'POST', headers, body: JSON.stringify({ input: 'big', sessionId }) });
      if (!response.ok) throw new Error(`a run was refused: HTTP ${response.status}`);
    }
    while ((await countUnfinished(api)) > 0) await sleep(200);
    await sleep(1_000);
    clearInterval(timer);
    socket.close();
    printTable(`${BIG_ANSWERS} answers of 3.5 MB, one after the other, to a socket that stopped reading`, [
      {
        'RSS at the start MiB': start / 1024,
        'highest MiB': peak / 1024,
        'more MiB': (peak - start) / 1024,
        'load of the machine': loadOfMachine(),
      },
    ]);
  } finally {
    await stopGateways([gateway]);
  }
}

/** Lists of ended runs would hold their texts. */
async function countUnfinished(api) {
  const pages = ['queued', 'running'].map(async status => (await fetch(`${api}/runs?status=${status}`)).json());
  return (await Promise.all(pages)).reduce((sum, { data }) => sum + data.length, 0);
}
