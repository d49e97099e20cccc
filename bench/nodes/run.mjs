/**
 * `npm run bench:nodes [-- <part> ...]`: several gateways on one Postgres, beside one gateway on SQLite. Parts: cpu,
 * latency, growth; without a name cpu and latency. Option: --rounds <number of pairs>.
 */
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../../scripts/build_if_needed.mjs';
import { loadOfMachine, startLab } from './lab.mjs';
import { measureCpu, measureGrowth, measureLatency } from './throughput.mjs';

const PARTS = { cpu: measureCpu, latency: measureLatency, growth: measureGrowth };
const SHORT = ['cpu', 'latency'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '1' } },
});
const options = { rounds: Number(values.rounds) };
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
