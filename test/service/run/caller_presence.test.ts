import { CallerPresence } from '../../../src/service/run/caller_presence';
import { createManualClock } from '../../support/manual_clock';
import { aRun } from '../../support/store_records';

const RUN = { tenantId: 'acme', id: 'run_1' };

function setUp() {
  const clock = createManualClock();
  const cancelled: string[] = [];
  const errors: unknown[] = [];
  const presence = new CallerPresence({
    store: { read: { getRun: async () => undefined } },
    clock,
    cancelRun: async (_tenantId, runId) => {
      cancelled.push(runId);
      if (runId === 'run_gone') throw new Error('There is no such run.');
    },
    onError: (_message, error) => void errors.push(error),
  });
  return { clock, cancelled, errors, presence };
}

test('cancels a run 2 s after its last caller left', () => {
  const { clock, cancelled, presence } = setUp();
  const first = presence.addCaller(RUN);
  const second = presence.addCaller(RUN);
  first('left');
  first('left');
  clock.advance(10_000);
  expect(cancelled).toStrictEqual([]);
  second('left');
  clock.advance(1_999);
  expect(cancelled).toStrictEqual([]);
  clock.advance(1);
  expect(cancelled).toStrictEqual(['run_1']);
});

test('a caller that joins within 2 s keeps the run', () => {
  const { clock, cancelled, presence } = setUp();
  presence.addCaller(RUN)('left');
  clock.advance(1_500);
  const retry = presence.addCaller(RUN);
  clock.advance(60_000);
  expect(cancelled).toStrictEqual([]);
  retry('left');
  clock.advance(2_000);
  expect(cancelled).toStrictEqual(['run_1']);
});

test('cancels nothing after the end of the run', () => {
  const { clock, cancelled, presence } = setUp();
  presence.addCaller(RUN)('ended');
  clock.advance(60_000);
  expect(cancelled).toStrictEqual([]);
});

test('leaves a run to the next process when this one ends its answer', () => {
  const { clock, cancelled, presence } = setUp();
  const [early, late] = [presence.addCaller({ ...RUN, id: 'run_2' }), presence.addCaller(RUN)];
  early('left');
  presence.stop();
  late('left');
  clock.advance(60_000);
  expect(cancelled).toStrictEqual([]);
});

test('logs a cancel that fails', async () => {
  const { clock, errors, presence } = setUp();
  presence.addCaller({ ...RUN, id: 'run_gone' })('left');
  clock.advance(2_000);
  await Promise.resolve();
  await Promise.resolve();
  expect(errors).toHaveLength(1);
});

describe('a run that was taken over from a dead process', () => {
  const taken = (fields: Parameters<typeof aRun>[0]) => ({ ...aRun({ ...RUN, ...fields }), ordinal: 1 });

  test('is cancelled when no retry joins it within 10 s', () => {
    const { clock, cancelled, presence } = setUp();
    presence.expectCaller(taken({ door: 'openai' }));
    clock.advance(9_999);
    expect(cancelled).toStrictEqual([]);
    clock.advance(1);
    expect(cancelled).toStrictEqual(['run_1']);
  });

  test('goes on with a retry that joins it', () => {
    const { clock, cancelled, presence } = setUp();
    presence.expectCaller(taken({ door: 'agui' }));
    presence.addCaller(RUN);
    clock.advance(60_000);
    expect(cancelled).toStrictEqual([]);
  });

  test.each([
    ['a chat', { door: 'socketio' as const }],
    [
      'a response in the background',
      { door: 'responses' as const, interaction: { clarify: 'text' as const, clarifyTimeoutMs: 0, publishes: 'stored' as const } },
    ],
  ])('goes on by itself when it is %s', (_name, fields) => {
    const { clock, cancelled, presence } = setUp();
    presence.expectCaller(taken(fields));
    clock.advance(60_000);
    expect(cancelled).toStrictEqual([]);
  });
});
