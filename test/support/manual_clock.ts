/** A clock that only a test advances. */
import type { Clock } from '../../src/port/clock';

export interface ManualClock extends Clock {
  /** Advances the time and calls the due callbacks in order. */
  advance(milliseconds: number): void;
}

export function createManualClock(start = 1_000_000): ManualClock {
  let time = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  const nextDue = (limit: number) => [...timers].filter(timer => timer.at <= limit).sort((a, b) => a.at - b.at)[0];
  return {
    now: () => start + time,
    monotonic: () => time,
    after(milliseconds, callback) {
      const timer = { at: time + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(milliseconds) {
      const end = time + milliseconds;
      for (let due = nextDue(end); due; due = nextDue(end)) {
        timers.delete(due);
        time = due.at;
        due.callback();
      }
      time = end;
    },
  };
}
