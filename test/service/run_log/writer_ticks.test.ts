import { setImmediate as nextTurn } from 'node:timers/promises';
import { DeltaTick } from '../../../src/service/run_log/writer_ticks';
import { createManualClock } from '../../support/manual_clock';

/** A tick, and a way to wait for it that notes the name and then takes some milliseconds. */
function createTick() {
  const clock = createManualClock();
  const tick = new DeltaTick(clock);
  const called: string[] = [];
  const wait = (name: string, takesMs = 0) =>
    tick.wait(() => {
      called.push(name);
      clock.advance(takesMs);
    });
  return { clock, called, wait };
}

test('calls back in the same turn of the event loop while the work takes little time', async () => {
  const { called, wait } = createTick();
  for (const name of ['first', 'second', 'third']) {
    wait(name);
    await nextTurn();
    expect(called.at(-1)).toBe(name);
  }
});

test('pauses sixty times as long as the work took, and then calls all that waited', async () => {
  const { clock, called, wait } = createTick();
  wait('first', 0.1);
  wait('second', 0.1);
  await nextTurn();
  wait('third');
  clock.advance(2);
  wait('fourth');
  clock.advance(9.9);
  await nextTurn();
  expect(called).toEqual(['first', 'second']);
  clock.advance(0.2);
  expect(called).toEqual(['first', 'second', 'third', 'fourth']);
});

test('pauses for 25 ms at most', async () => {
  const { clock, called, wait } = createTick();
  wait('long', 50);
  await nextTurn();
  wait('next');
  clock.advance(25.1);
  expect(called).toEqual(['long', 'next']);
});

test('does not wait when the pause is over before the next text comes', async () => {
  const { clock, called, wait } = createTick();
  wait('long', 50);
  await nextTurn();
  clock.advance(26);
  wait('next');
  await nextTurn();
  expect(called).toEqual(['long', 'next']);
});
