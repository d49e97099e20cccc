/** Counts the most things that existed at one time, in each part of a span. Pure. */

/** Times are milliseconds since 1970; `to` is not part of the period. */
export interface Period {
  from: number;
  to: number;
}

/** A span that is divided into parts of the same length. */
interface DividedSpan extends Period {
  partMs: number;
}

/** Returns for each part of the span how many of the periods overlapped at its busiest moment. */
export function peaksOf({ from, to, partMs }: DividedSpan, periods: readonly Period[]): number[] {
  const changes = periods
    .filter(period => period.to > period.from && period.to > from && period.from < to)
    .flatMap(period => [
      { at: Math.max(period.from, from), change: 1 },
      { at: Math.min(period.to, to), change: -1 },
    ])
    // An end counts before a start at the same time.
    .sort((a, b) => a.at - b.at || a.change - b.change);
  let [open, next] = [0, 0];
  return Array.from({ length: Math.round((to - from) / partMs) }, (_, part) => {
    const start = from + part * partMs;
    for (let peak = 0; ; next += 1) {
      const change = changes[next];
      // A part does not have the periods that end at its start.
      if (!change || change.at > start) peak = Math.max(peak, open);
      if (!change || change.at >= start + partMs) return peak;
      open += change.change;
    }
  });
}
