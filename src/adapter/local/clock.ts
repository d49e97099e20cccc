import type { Clock } from '../../port/clock';

// The longest delay a timer takes; a longer one would fire at once.
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
    // Timers may fire a fraction of a millisecond early; only a chunk of a very long delay leaves more than that.
    if (left < 1) callback();
    else timer = setTimeout(step, Math.min(left, MAX_DELAY_MS)).unref();
  }
  return () => clearTimeout(timer);
}
