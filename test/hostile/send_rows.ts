/** Sends the rows of a hostile suite to its gateway, and says at the end what the gateway has suffered. */
import { until } from '../support/until';
import { type Answer, type HostileBench, loopProblem, type Row, rowProblem } from './hostile_bench';

const CALLS_A_RUN = 30;
const AT_ONCE = 6;
const UNITS_AT_ONCE = 500_000;
const UNITS_A_RUN = 2_500_000;
const MAX_ARGUMENT_UNITS = 1024 * 1024;
/** A model stream is at most 1 MiB a call here, and a request body 1 MiB. */
const MAX_DIRECT_UNITS = 1_000_000;
/** Seven runs of two builds grew by 608 to 706 MiB: the memory that the engine keeps after inputs of megabytes. */
const MAX_GROWTH_MIB = 800;
const MAX_MEMORY_MIB = 1_600;

export interface RowSender {
  /** Sends the rows as direct calls; resolves with one sentence for each wrong answer. */
  problemsOfDirect(rows: readonly Row[]): Promise<string[]>;
  /** Sends the rows as tool calls of models; resolves with one sentence for each wrong answer. */
  problemsOfRuns(rows: readonly Row[]): Promise<string[]>;
}

/** Sends rows to the gateway of a bench, several at a time. */
export function createRowSender(bench: HostileBench): RowSender {
  return {
    async problemsOfDirect(rows) {
      const problems: string[] = [];
      for (const some of inGroups(rows, { most: AT_ONCE, units: UNITS_AT_ONCE, rowUnits: MAX_DIRECT_UNITS })) {
        const answers = await Promise.all(some.map(row => bench.direct(row)));
        for (const [index, row] of some.entries()) problems.push(...problemOf(row, answers[index]));
        await bench.lookAtLoop(some.map(({ what }) => what).join(' | '));
      }
      return problems;
    },
    async problemsOfRuns(rows) {
      const problems: string[] = [];
      // The most that one model answer may contain and that a model server accepts in a history.
      for (const some of inGroups(rows, { most: CALLS_A_RUN, units: UNITS_A_RUN, rowUnits: MAX_ARGUMENT_UNITS })) {
        const answers = await bench.inRun(some);
        for (const [index, row] of some.entries()) problems.push(...problemOf(row, answers[index]));
        await bench.lookAtLoop(`a run: ${some.map(({ what }) => what).join(' | ')}`);
      }
      return problems;
    },
  };
}

/** Returns one sentence when the answer to a row is wrong, otherwise nothing. */
export function problemOf(row: Row, answer: Answer | undefined): string[] {
  const problem = answer ? rowProblem(row, answer) : 'no answer';
  return problem === undefined ? [] : [`${row.what}: ${problem}`];
}

/**
 * Expects that nothing outside the workspace has changed, that the memory of the gateway stayed within its limits, that it logged no error and that its
 * event loop was never blocked.
 */
export async function expectUnharmed(bench: HostileBench, memoryBefore: number): Promise<void> {
  expect(await bench.changesOutside()).toEqual([]);
  // The engine gives garbage back soon after the last call, and later on a busy machine.
  const { now, most } = await until(
    () => bench.memory(),
    memory => memory.now - memoryBefore < MAX_GROWTH_MIB,
  );
  const noiseMs = await bench.stopNoise();
  const worst = bench.worst();
  process.stdout.write(`hostile suite: ${JSON.stringify({ ...worst, noiseMs, memoryMiB: { before: memoryBefore, now, most } })}\n`);
  expect(most).toBeLessThan(MAX_MEMORY_MIB);
  expect(bench.gateway.output()).not.toContain('"level":"error"');
  expect(loopProblem(worst, noiseMs)).toBeUndefined();
}

const unitsOf = ({ args }: Row): number => Buffer.byteLength(typeof args === 'string' ? args : JSON.stringify(args));

/** Groups rows that run in parallel; leaves out those that are too long for the door. */
function inGroups(rows: readonly Row[], limits: { most: number; units: number; rowUnits: number }): Row[][] {
  const groups: Row[][] = [];
  let units = Number.POSITIVE_INFINITY;
  for (const row of rows.filter(candidate => unitsOf(candidate) <= limits.rowUnits)) {
    units += unitsOf(row);
    if (units > limits.units || groups.at(-1)?.length === limits.most) {
      groups.push([]);
      units = unitsOf(row);
    }
    groups.at(-1)?.push(row);
  }
  return groups;
}
