/** `npm run test:fault`: kills the gateway at random times and at every failpoint, or at the one of `--only`, and prints the violations. */
import { parseArgs } from 'node:util';
import { FAILPOINTS } from '../../src/port/failpoints';
import { copyBuild } from './build_copy';
import { type RoundResult, startFaultBench } from './fault_bench';
import { addRound, formatTable, newRow, type TableRow } from './fault_table';
import { createRandom } from './random';
import { pointRound, randomRound, USUAL_HITS } from './rounds';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '300' },
    each: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});

async function main(): Promise<void> {
  const random = createRandom(Number(values.seed));
  const build = await copyBuild();
  const bench = await startFaultBench(random, build.root);
  const rows: TableRow[] = [];
  const play = async (label: string, count: number, round: (name: string) => Promise<RoundResult>) => {
    const startedAt = performance.now();
    const row = newRow(label);
    rows.push(row);
    for (let i = 0; i < count; i++) {
      const name = `${label.replaceAll('_', '')}${i}`;
      const result = await round(name);
      addRound(row, result);
      for (const { kind, detail } of result.violations) console.log(`${name}: ${kind}: ${detail}`);
    }
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.error(`${label}: ${row.rounds} rounds, ${row.kills} kills, ${row.violations.length} violations, ${seconds} s`);
  };
  try {
    await play('random', Number(values.rounds), name => randomRound(bench, name, random));
    for (const point of FAILPOINTS.filter(name => values.only === undefined || name === values.only)) {
      await play(point, Number(values.each), name => pointRound(bench, name, { point, hit: random.between(1, USUAL_HITS[point]) }));
    }
  } finally {
    await bench.stop();
    await build.remove();
  }
  console.log(`\n${formatTable(rows)}`);
  if (rows.some(row => row.violations.length > 0)) process.exitCode = 1;
}

void main();
