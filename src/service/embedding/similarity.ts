/** Returns how alike the meanings of two texts are: 1 the same, 0 unrelated. 0 for vectors that cannot be compared. Expects vectors of length 1. */
export function similarity(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): places far down count little, and scores of different kinds need no common scale. */
const RANK_OFFSET = 60;

/** Mixes rankings of the same things, each best first, into one. Of equal ones, the first ranking's comes first. */
export function fuseRankings<T>(...rankings: readonly (readonly T[])[]): T[] {
  const scores = new Map<T, number>();
  for (const ranking of rankings)
    for (const [place, item] of ranking.entries()) scores.set(item, (scores.get(item) ?? 0) + 1 / (RANK_OFFSET + place + 1));
  return [...scores].sort(([, a], [, b]) => b - a).map(([item]) => item);
}
