import { setImmediate as nextTurn } from 'node:timers/promises';
import { StepScheduler } from '../../../src/service/run/step_scheduler';
import { createManualClock } from '../../support/manual_clock';

/** Milliseconds that each step of these tests takes. */
const STEP_MS = 2;

function createScheduler() {
  const clock = createManualClock();
  return { clock, steps: new StepScheduler(clock) };
}

/** Calls `start` in one turn of the event loop and resolves, when `isDone`, with the numbers of the turns in which its `mark` was called. */
async function turnsOf(start: (mark: (name: string) => void) => void, isDone: (marks: readonly unknown[]) => boolean) {
  const marks: { name: string; turn: number }[] = [];
  let turn = 0;
  start(name => marks.push({ name, turn }));
  for (; !isDone(marks); turn++) await nextTurn();
  return marks;
}

test('lets other work run after 4 ms of steps, and takes the other steps later, in order', async () => {
  const { clock, steps } = createScheduler();
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  const marks = await turnsOf(
    mark => {
      for (const name of names)
        void (async () => {
          await steps.nextStep();
          await Promise.resolve();
          clock.advance(STEP_MS);
          mark(name);
        })();
    },
    marks => marks.length === names.length,
  );
  expect(marks.map(({ name }) => name)).toEqual(names);
  const perTurn = [...Map.groupBy(marks, ({ turn }) => turn).values()].map(group => group.length);
  expect(perTurn).toEqual([2, 2, 2, 2, 1]);
});

test('lets a step go on at once when nothing else is due', async () => {
  const { steps } = createScheduler();
  expect(steps.nextStep()).toBeUndefined();
  await nextTurn();
  expect(steps.nextStep()).toBeUndefined();
});
