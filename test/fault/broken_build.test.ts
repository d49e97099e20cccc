/** Tests the checker with a broken build: one guard is removed from a copy of the build, and the checker must report it. */
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

it('reports effects that happened twice in a build that forgets which calls have started', async () => {
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
