import { useEffect, useState } from 'preact/hooks';

/** The browser's time in milliseconds, as of this rendering. Renders again at the interval. */
export function useNow(intervalMs: number): number {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick(tick => tick + 1), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  // Not a stored time: that would be up to an interval old when the deadline moves, and the countdown would show too much.
  return Date.now();
}
