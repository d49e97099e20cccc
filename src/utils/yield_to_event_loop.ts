/** Units of JSON from where on reading it takes long enough for others to notice. */
export const LONG_JSON_UNITS = 50_000;

/** Ends a stretch of work: everything that is due runs before this resolves. An immediate would come before the timers, as part of the same stretch. */
export const yieldToEventLoop = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0));
