import { PausableDeadline } from '../../src/service/pausable_deadline';
import { createManualClock } from '../support/manual_clock';

/** Creates a deadline of 100 ms. */
function setUp() {
  const clock = createManualClock();
  const onExpire = jest.fn();
  return { clock, onExpire, deadline: new PausableDeadline(clock, 100, onExpire) };
}

describe('a deadline that can be paused', () => {
  it('expires once, after its time', () => {
    const { clock, onExpire } = setUp();
    clock.advance(99);
    expect(onExpire).not.toHaveBeenCalled();
    clock.advance(1);
    clock.advance(1_000);
    expect(onExpire).toHaveBeenCalledTimes(1);
  });

  it('does not count the time while it is paused', () => {
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

  it('stays paused until the last of several pauses has ended', () => {
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

  it('never expires after it was stopped', () => {
    const { clock, onExpire, deadline } = setUp();
    deadline.pause();
    deadline.stop();
    deadline.resume();
    clock.advance(1_000);
    expect(onExpire).not.toHaveBeenCalled();
  });
});
