import { PausableDeadline } from '../../../src/service/run/pausable_deadline';
import { createManualClock } from '../../support/manual_clock';

/** A deadline of 100 ms. */
function setUp() {
  const clock = createManualClock();
  const onExpire = jest.fn();
  return { clock, onExpire, deadline: new PausableDeadline(clock, 100, onExpire) };
}

describe('a deadline that can be paused', () => {
  it('expires once, when its time is up', () => {
    const { clock, onExpire } = setUp();
    clock.advance(99);
    expect(onExpire).not.toHaveBeenCalled();
    clock.advance(1);
    clock.advance(1_000);
    expect(onExpire).toHaveBeenCalledTimes(1);
  });

  it('does not count the time while a person is waited for', () => {
    const { clock, onExpire, deadline } = setUp();
    clock.advance(60);
    deadline.pause();
    clock.advance(10_000);
    deadline.resume();
    clock.advance(39);
    expect(onExpire).not.toHaveBeenCalled();
    clock.advance(1);
    expect(onExpire).toHaveBeenCalledTimes(1);
  });

  it('stands still until the last of several pauses is over', () => {
    const { clock, onExpire, deadline } = setUp();
    deadline.pause();
    deadline.pause();
    deadline.resume();
    clock.advance(1_000);
    expect(onExpire).not.toHaveBeenCalled();
    deadline.resume();
    clock.advance(100);
    expect(onExpire).toHaveBeenCalledTimes(1);
  });

  it('never expires after it was stopped, whatever comes later', () => {
    const { clock, onExpire, deadline } = setUp();
    deadline.pause();
    deadline.stop();
    deadline.resume();
    clock.advance(1_000);
    expect(onExpire).not.toHaveBeenCalled();
  });
});
