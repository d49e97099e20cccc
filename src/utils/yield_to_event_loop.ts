/** UTF-16 units of JSON from which on parsing blocks the event loop noticeably. */
export const LONG_JSON_UNITS = 50_000;

/** Resolves after all due timers and I/O callbacks have run. A timer, not setImmediate: an immediate would run before due timers. */
export const yieldToEventLoop = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0));
