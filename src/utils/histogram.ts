/** Counts of durations in buckets that grow by a quarter: a percentile is at most a quarter too high. */

const FIRST_MS = 1;
const GROWTH = 1.25;
/** The last bucket begins at about 15 hours. */
const BUCKETS = 82;

export class Histogram {
  /** Index of the bucket -> count. Most indexes stay empty. */
  private readonly counts = new Map<number, number>();
  private total = 0;

  get count(): number {
    return this.total;
  }

  record(milliseconds: number): void {
    const index = milliseconds <= FIRST_MS ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log(milliseconds / FIRST_MS) / Math.log(GROWTH)));
    this.add(index, 1);
  }

  /** The upper bound of the bucket that holds this share of the durations; undefined without any. */
  percentile(share: number): number | undefined {
    if (this.total === 0) return undefined;
    let left = Math.ceil(this.total * share);
    for (const index of [...this.counts.keys()].sort((a, b) => a - b)) {
      left -= this.counts.get(index) ?? 0;
      if (left <= 0) return Math.round(FIRST_MS * GROWTH ** index);
    }
    return undefined;
  }

  /** Pairs of index and count, for another process. */
  toPairs(): [index: number, count: number][] {
    return [...this.counts];
  }

  addPairs(pairs: readonly (readonly [index: number, count: number])[]): void {
    for (const [index, count] of pairs) this.add(index, count);
  }

  private add(index: number, count: number): void {
    this.counts.set(index, (this.counts.get(index) ?? 0) + count);
    this.total += count;
  }
}
