/** Waits for facts that no event announces. */
import { setTimeout as pause } from 'node:timers/promises';

/** Between two looks the processor belongs to the gateway under test. */
const PAUSE_MS = 20;

/** Looks until the value is done, and resolves with it; rejects after the limit and shows the last value. */
export async function until<T>(look: () => T | Promise<T>, isDone: (value: T) => boolean = Boolean, { limitMs = 15_000 } = {}): Promise<T> {
  for (const end = performance.now() + limitMs; ; await pause(PAUSE_MS)) {
    const value = await look();
    if (isDone(value)) return value;
    if (performance.now() > end) throw new Error(`not done within ${limitMs} ms; the last value was ${JSON.stringify(value)}`);
  }
}
