/** How a stop ends the process, and what the log says of a stop that takes too long. A stop through the doors is in test/door/stop.test.ts. */
import type { Logger } from '../src/port/logger';
import { createStop, StopSteps } from '../src/stop';

const never = () => new Promise<never>(() => {});

/** Makes a stop whose end of the process resolves `ended` with the exit code. */
function prepare(run: (steps: StopSteps) => Promise<void>, close: () => Promise<void> = async () => {}) {
  const errors: string[] = [];
  const calls: string[] = [];
  const error = (message: string, thrown: unknown) => void errors.push(`${message}: ${(thrown as Error).message}`);
  const logger: Logger = { error, info() {}, event() {}, tail: { recent: () => [], watch: () => () => {} }, close };
  const steps = new StopSteps();
  const ended = Promise.withResolvers<number>();
  const stop = createStop({
    stop: () => run(steps),
    cutDrain: () => void calls.push('cutDrain'),
    steps,
    logger,
    exit: ended.resolve,
    limitMs: 20,
  });
  return { stop, ended: ended.promise, errors, calls };
}

it('ends with 0 after the last step', async () => {
  const order: string[] = [];
  const { stop, ended, errors } = prepare(async steps => {
    await steps.run('runs', () => void order.push(steps.current));
    await steps.run('store', () => void order.push(steps.current));
  });
  await stop();
  expect([await ended, order, errors]).toEqual([0, ['runs', 'store'], []]);
});

it('ends with 1 when a step takes too long, and logs the name of this step', async () => {
  const { stop, ended, errors } = prepare(async steps => {
    await steps.run('runs', () => {});
    await steps.run('store', never);
  });
  void stop();
  expect(await ended).toBe(1);
  expect(errors).toEqual(['stopping takes too long: After 20 ms the stop still waits for this step: store.']);
});

it('ends with 1 when a step fails, and logs why', async () => {
  const { stop, ended, errors } = prepare(steps => steps.run('store', () => Promise.reject(new Error('the disk is full'))));
  await stop();
  expect([await ended, errors]).toEqual([1, ['stopping failed: the disk is full']]);
});

it('does not wait for a log file that never closes', async () => {
  const { stop, ended } = prepare(async () => {}, never);
  void stop();
  expect(await ended).toBe(0);
});

it('ends the drain at the second call, and stops once', async () => {
  const stops: string[] = [];
  const { stop, ended, calls } = prepare(async () => void stops.push('stop'));
  await Promise.all([stop(), stop()]);
  expect([await ended, stops, calls]).toEqual([0, ['stop'], ['cutDrain']]);
});
