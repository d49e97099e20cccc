/** Returns the time as pages and programs read it: ISO-8601 in UTC. */
export const toIsoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
