/** Tests the checker with broken builds: one guard is removed from a copy of the build, and the checker must report it. */
import type { Failpoint } from '../../src/port/failpoints';
import { type BuildCopy, copyBuild } from './build_copy';
import type { ViolationKind } from './client_record';
import { startFaultBench } from './fault_bench';
import { createRandom } from './random';
import { pointRound } from './rounds';

/** A kill shows the fault in about two rounds of three: whether it does depends on what the readers had at that moment. */
const ROUNDS = 12;

let build: BuildCopy;

beforeEach(async () => {
  build = await copyBuild();
});

afterEach(() => build?.remove());

/** Kills the damaged build at the failpoint until the checker reports the kind. Resolves with all kinds that it reported. */
async function kindsFound(wanted: ViolationKind, point: Failpoint, firstHit: number): Promise<ViolationKind[]> {
  const bench = await startFaultBench(createRandom(7), build.root);
  const kinds = new Set<ViolationKind>();
  try {
    for (let i = 0; i < ROUNDS && !kinds.has(wanted); i++) {
      const { violations } = await pointRound(bench, `broken${i}`, { point, hit: firstHit + i });
      for (const { kind } of violations) kinds.add(kind);
    }
  } finally {
    await bench.stop();
  }
  return [...kinds];
}

it('reports effects that happened twice in a build that forgets which calls have started', async () => {
  await build.damage('dist/src/service/run/resume_point.js', 'interrupted: new Set(openExecutions.keys())', 'interrupted: new Set()');
  expect(await kindsFound('double_effect', 'tool_effect', 1)).toContain('double_effect');
}, 180_000);

it('reports effects that happened twice in a build that starts a command before its call is stored', async () => {
  await build.damage('dist/src/runtime/tool_runner/record_call.js', 'journal.record(start)', 'journal.append(start)');
  await build.damage('dist/src/service/run_log/writer_ticks.js', 'WRITE_MS = 100', 'WRITE_MS = 2_000');
  expect(await kindsFound('double_effect', 'tool_effect', 1)).toContain('double_effect');
}, 180_000);

it('reports results that were shown and vanished in a build that stores calls and results of commands in the background', async () => {
  await build.damage('dist/src/runtime/tool_runner/record_call.js', 'tool === undefined ||', 'true ||');
  await build.damage('dist/src/service/run_log/writer_ticks.js', 'WRITE_MS = 100', 'WRITE_MS = 2_000');
  expect(await kindsFound('lost_event', 'event_published', 30)).toContain('lost_event');
}, 180_000);

it('reports numbers with two contents in a build that never resets a reader', async () => {
  await build.damage('dist/src/service/run_log/run_subscription.js', 'isAhead || isLost || isExpired', 'isExpired');
  await build.damage('dist/src/service/run_log/writer_ticks.js', 'WRITE_MS = 100', 'WRITE_MS = 2_000');
  expect(await kindsFound('differing_event', 'event_published', 20)).toContain('differing_event');
}, 180_000);
