import type { Budget } from '../budget';

/**
 * Counts the edits that turn one text into the other: insert, delete, replace, or swap two neighbours (Damerau, optimal
 * string alignment). Returns limit + 1 for every distance above `limit`. Costs length times limit.
 */
export function editDistance(a: string, b: string, limit: number, budget: Budget): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  budget.spend((Math.min(a.length, b.length) + 1) * (2 * limit + 1));
  const beyond = limit + 1;
  let beforePrevious = new Int32Array(b.length + 1).fill(beyond);
  let previous = new Int32Array(b.length + 1).fill(beyond);
  let current = new Int32Array(b.length + 1).fill(beyond);
  for (let j = 0; j <= Math.min(b.length, limit); j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    current[from - 1] = from === 1 ? Math.min(i, beyond) : beyond;
    let best = current[from - 1]!;
    const unit = a.charCodeAt(i - 1);
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(j - 1);
      let cost = previous[j - 1]! + (unit === other ? 0 : 1);
      if (j < i + limit) cost = Math.min(cost, previous[j]! + 1);
      cost = Math.min(cost, current[j - 1]! + 1);
      if (i > 1 && j > 1 && unit === b.charCodeAt(j - 2) && other === a.charCodeAt(i - 2))
        cost = Math.min(cost, beforePrevious[j - 2]! + 1);
      current[j] = Math.min(cost, beyond);
      if (cost < best) best = cost;
    }
    if (best > limit) return beyond;
    const recycled = beforePrevious;
    beforePrevious = previous;
    previous = current;
    current = recycled;
  }
  return Math.min(previous[b.length]!, beyond);
}
