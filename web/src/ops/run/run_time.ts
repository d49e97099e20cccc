/** Milliseconds since the start of a run, as "+2.31 s" or "+3:05". */
export function formatOffset(ms: number): string {
  if (ms < 60_000) return `+${(Math.max(0, ms) / 1000).toFixed(2)} s`;
  const seconds = Math.floor(ms / 1000);
  return `+${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
