/** UTF-16 units of JSON from which on parsing blocks the event loop noticeably. */
export const LONG_JSON_UNITS = 50_000;

/** Milliseconds for which sliced work may hold the event loop at once. */
const SLICE_MS = 4;

/** Resolves after all due timers and I/O callbacks have run. A timer, not setImmediate: an immediate would run before due timers. */
export const yieldToEventLoop = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0));

/** Returns a function that yields to the event loop once 4 ms have passed since the last yield. */
export function createYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await yieldToEventLoop();
    since = performance.now();
  };
}
