/** `npm run test:fault -- --nodes 3`: several gateways on one Postgres are killed, stopped and cut off at random, one clock is ahead by 10 s. */
import { parseArgs } from 'node:util';
import { copyBuild } from './build_copy';
import { addRound, formatTable, newRow, type TableRow } from './fault_table';
import { NODE_FAULTS, nodeFault } from './node_faults';
import { startNodesBench } from './nodes_bench';
import { createRandom } from './random';

/** How far the clock of the last node is ahead. */
const CLOCK_AHEAD_MS = 10_000;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});

async function main(): Promise<void> {
  const random = createRandom(Number(values.seed));
  const build = await copyBuild();
  const count = Number(values.nodes);
  const clocksAheadMs = Array.from({ length: count }, (_, i) => (i === count - 1 ? CLOCK_AHEAD_MS : 0));
  const bench = await startNodesBench(random, { count, clocksAheadMs, root: build.root });
  const faults = NODE_FAULTS.filter(name => values.only === undefined || name === values.only);
  const rows = new Map<string, TableRow>(faults.map(fault => [fault, newRow(fault)]));
  const cluster = newRow('all rounds together');
  try {
    for (let i = 0; i < Number(values.rounds); i++) {
      const fault = random.pick(faults);
      const result = await bench.round(`${fault.replaceAll('_', '')}${i}`, nodeFault(fault, random));
      addRound(rows.get(fault)!, result);
      for (const { kind, detail } of result.violations) console.log(`${fault} ${i}: ${kind}: ${detail}`);
      if (i % 10 === 9) console.error(`${i + 1} rounds`);
    }
    cluster.violations.push(...(await bench.checkCluster()));
    for (const { kind, detail } of cluster.violations) console.log(`${kind}: ${detail}`);
  } finally {
    await bench.stop();
    await build.remove();
  }
  console.log(`\n${formatTable([...rows.values(), cluster])}`);
  if ([...rows.values(), cluster].some(row => row.violations.length > 0)) process.exitCode = 1;
}

void main();
