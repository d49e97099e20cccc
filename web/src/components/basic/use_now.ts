import { useEffect, useState } from 'preact/hooks';

/** Returns the browser's time in milliseconds and renders the component again at the interval. */
export function useNow(intervalMs: number): number {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick(tick => tick + 1), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  // A stored time would be up to one interval old when a deadline moves, and the countdown would show too much.
  return Date.now();
}
