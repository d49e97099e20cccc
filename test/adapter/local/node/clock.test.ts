import { createSystemClock } from '../../../../src/adapter/local/node/clock';

describe('system clock', () => {
  const clock = createSystemClock();

  it('returns the time and durations', () => {
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000);
    const start = clock.monotonic();
    expect(clock.monotonic()).toBeGreaterThanOrEqual(start);
  });

  it('calls back once after the time, not before', async () => {
    const start = clock.monotonic();
    await new Promise<void>(resolve => clock.after(20, resolve));
    expect(clock.monotonic() - start).toBeGreaterThanOrEqual(18);
  });

  describe('with delays longer than a timer takes', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    it('do not fire early, can be cancelled, and never fire at infinity', () => {
      const fired: string[] = [];
      clock.after(2 ** 31 + 5_000, () => fired.push('long'));
      clock.after(Number.POSITIVE_INFINITY, () => fired.push('never'));
      const callOff = clock.after(2 ** 31 + 5_000, () => fired.push('called off'));
      jest.advanceTimersByTime(2 ** 31);
      expect(fired).toEqual([]);
      callOff();
      jest.advanceTimersByTime(10_000);
      expect(fired).toEqual(['long']);
    });
  });
});
