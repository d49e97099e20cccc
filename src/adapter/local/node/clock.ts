import type { Clock } from '../../../port/clock';

// The longest delay of a timer; with a longer delay Node fires the timer at once.
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The clock of this machine. Its timers do not keep the process alive. */
export function createSystemClock(): Clock {
  return { now: () => Date.now(), monotonic: () => performance.now(), after };
}

function after(milliseconds: number, callback: () => void): () => void {
  if (milliseconds === Number.POSITIVE_INFINITY) return () => {};
  const due = performance.now() + milliseconds;
  let timer = setTimeout(step, Math.min(milliseconds, MAX_DELAY_MS)).unref();
  function step(): void {
    const left = due - performance.now();
    // A timer may fire a fraction of a millisecond early; more is left only after a chunk of a very long delay.
    if (left < 1) callback();
    else timer = setTimeout(step, Math.min(left, MAX_DELAY_MS)).unref();
  }
  return () => clearTimeout(timer);
}
