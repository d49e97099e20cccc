import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LlmPort } from '../../../src/port/llm';
import { callInSteps, StepScheduler } from '../../../src/service/run/step_scheduler';
import { createManualClock } from '../../support/manual_clock';

/** Milliseconds that each step of these tests takes. */
const STEP_MS = 2;

const SILENT = { onText: () => {}, onReasoning: () => {} };

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

test('begins model calls and handles their answers in steps', async () => {
  const { clock, steps } = createScheduler();
  const info = { provider: 'test', model: 'test', demo: true };
  const answer = { message: { role: 'assistant' as const, content: 'Hello.' }, reasoning: '', finishReason: 'stop' as const };
  const marks = await turnsOf(
    mark => {
      const llm: LlmPort = {
        info,
        async stream() {
          clock.advance(2 * STEP_MS);
          mark('call');
          return answer;
        },
      };
      const request = { messages: [], tools: [], thinkingLevel: 'off' as const, signal: new AbortController().signal };
      for (let call = 0; call < 2; call++)
        void callInSteps(llm, steps)
          .stream(request, SILENT)
          .then(() => mark('answer'));
    },
    marks => marks.length === 4,
  );
  const turns = marks.filter(({ name }) => name === 'call').map(({ turn }) => turn);
  expect(new Set(turns).size).toBe(2);
});
