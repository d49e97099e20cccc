/** The checker is worth something only if it sees a build that breaks its promises. One guard is taken out of a copy of the build; it must be seen. */
import { type BuildCopy, copyBuild } from './build_copy';
import { startFaultBench } from './fault_bench';
import { createRandom } from './random';
import { pointRound } from './rounds';

const ROUNDS = 3;

let build: BuildCopy;

beforeAll(async () => {
  build = await copyBuild();
});

afterAll(() => build?.remove());

it('a build that forgets which calls had begun counts effects twice, and the checker says so', async () => {
  await build.damage('dist/src/service/run/resume_point.js', 'interrupted: new Set(openExecutions.keys())', 'interrupted: new Set()');
  const random = createRandom(7);
  const bench = await startFaultBench(random, build.root);
  const kinds = new Set<string>();
  try {
    for (let i = 0; i < ROUNDS && !kinds.has('double_effect'); i++) {
      const { violations } = await pointRound(bench, `broken${i}`, { point: 'tool_effect', hit: 1 + i });
      for (const { kind } of violations) kinds.add(kind);
    }
  } finally {
    await bench.stop();
  }
  expect([...kinds]).toContain('double_effect');
}, 60_000);
