/**
 * `npm run bench:nodes [-- <part> ...]`: several gateways on one Postgres, beside one gateway on SQLite. Without a name it
 * measures the parts cpu and latency. Options: --sessions <sessions in latency and growth>, --rounds <number of pairs>, --runs <ended runs in housekeeping>, --turns <turns in memory>,
 * --queued <runs in queue>.
 */
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../../scripts/build_if_needed.mjs';
import { measureHeartbeat } from './heartbeat.mjs';
import { loadOfMachine, startLab } from './lab.mjs';
import { measureMemory, measureSlowReader } from './memory.mjs';
import { measureQueue } from './queue.mjs';
import { measureReaders } from './readers.mjs';
import { measureFork, measureHousekeeping, measureStop } from './stalls.mjs';
import { measureCpu, measureGrowth, measureLatency } from './throughput.mjs';

const PARTS = {
  cpu: measureCpu,
  latency: measureLatency,
  growth: measureGrowth,
  stop: measureStop,
  fork: measureFork,
  housekeeping: measureHousekeeping,
  queue: measureQueue,
  readers: measureReaders,
  heartbeat: measureHeartbeat,
  memory: measureMemory,
  slow: measureSlowReader,
};
const SHORT = ['cpu', 'latency'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sessions: { type: 'string', default: '192' },
    rounds: { type: 'string', default: '1' },
    runs: { type: 'string', default: '100000' },
    turns: { type: 'string', default: '6000' },
    queued: { type: 'string', default: '2000' },
  },
});
const options = {
  sessions: Number(values.sessions),
  rounds: Number(values.rounds),
  runs: Number(values.runs),
  turns: Number(values.turns),
  queued: Number(values.queued),
};
const names = positionals.length > 0 ? positionals : SHORT;
for (const name of names) if (!PARTS[name]) throw new Error(`There is no part ${name}; there are: ${Object.keys(PARTS).join(', ')}.`);

buildIfNeeded();
const lab = await startLab();
try {
  for (const name of names) {
    const started = performance.now();
    await PARTS[name](lab, options);
    console.log(`\n${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s, load of the machine ${loadOfMachine()}`);
  }
} finally {
  await lab.stop();
}
process.exit();
