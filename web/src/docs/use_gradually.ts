import { useEffect, useState } from 'preact/hooks';

/** Returns how much of a long list to draw: `step` more each time the browser has drawn the last part, up to `total`. */
export function useGradually(total: number, step: number): number {
  const [count, setCount] = useState(step);
  useEffect(() => {
    if (count >= total) return;
    const timer = setTimeout(() => setCount(count + step));
    return () => clearTimeout(timer);
  }, [count, total, step]);
  return Math.min(count, total);
}
