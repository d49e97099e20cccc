/** Keeps the values of metrics in memory. The number of label sets is limited, so that no caller can fill the memory. */
import {
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelValues,
  METRICS,
  type MetricName,
  type MetricRow,
} from './metric_table';

/** The most label sets of one metric, and of all metrics together. */
export const MAX_SETS = 2_000;
const MAX_ALL_SETS = 20_000;

interface Series {
  values: readonly string[];
  /** The sum, for a histogram. */
  value: number;
  /** Number of values of a histogram in each bucket; the last bucket holds the values above all bounds. */
  counts?: number[];
}

/** The label sets of one metric. */
interface Metric {
  series: Series[];
  root: Branch;
}

/** The label sets that begin with the same values. Steps from value to value make no text: a key would be a new string of each count. */
interface Branch {
  /** The set that ends here. */
  series?: Series;
  next?: Map<string, Branch>;
}

/** One line of the text format. `suffix`: `_bucket`, `_sum` or `_count`. */
export interface Sample {
  suffix: string;
  labels: Record<string, string | number>;
  value: number;
}

export class MetricSeries {
  private readonly metrics = new Map<MetricName, Metric>();
  private setCount = 0;
  private dropped = 0;

  add<N extends CounterName>(name: N, values: LabelValues<N>, amount = 1): void {
    const series = this.seriesOf(name, values);
    if (series) series.value += amount;
  }

  set<N extends GaugeName>(name: N, values: LabelValues<N>, value: number): void {
    const series = this.seriesOf(name, values);
    if (series) series.value = value;
  }

  change<N extends GaugeName>(name: N, values: LabelValues<N>, by: 1 | -1): void {
    const series = this.seriesOf(name, values);
    if (series) series.value += by;
  }

  observe<N extends HistogramName>(name: N, values: LabelValues<N>, value: number): void {
    const series = this.seriesOf(name, values);
    if (!series?.counts) return;
    const buckets: readonly number[] = METRICS[name].buckets;
    let i = 0;
    while (i < buckets.length && value > (buckets[i] ?? 0)) i++;
    series.counts[i] = (series.counts[i] ?? 0) + 1;
    series.value += value;
  }

  /** Creates a label set at 0. */
  create<N extends MetricName>(name: N, values: LabelValues<N>): void {
    this.seriesOf(name, values);
  }

  /** Takes counts that are kept elsewhere. */
  replace<N extends CounterName>(name: N, counts: Iterable<readonly [LabelValues<N>, number]>): void {
    for (const [values, count] of counts) {
      const series = this.seriesOf(name, values);
      if (series) series.value = count;
    }
  }

  /** Removes all label sets of a gauge, before it gets its present values. */
  clear(name: GaugeName): void {
    this.setCount -= this.metrics.get(name)?.series.length ?? 0;
    this.metrics.delete(name);
  }

  samplesOf(name: MetricName): Sample[] {
    if (name === 'neta_metrics_series_dropped_total') return [{ suffix: '', labels: {}, value: this.dropped }];
    const row: MetricRow = METRICS[name];
    return (this.metrics.get(name)?.series ?? []).flatMap(series => samplesOf(row, series));
  }

  private seriesOf(name: MetricName, values: readonly string[]): Series | undefined {
    const metric = this.metrics.get(name);
    let branch = metric?.root;
    for (let i = 0; branch && i < values.length; i += 1) branch = branch.next?.get(values[i] ?? '');
    return branch?.series ?? this.addSeries(name, values, metric);
  }

  private addSeries(name: MetricName, values: readonly string[], metric: Metric = { series: [], root: {} }): Series | undefined {
    if (metric.series.length >= MAX_SETS || this.setCount >= MAX_ALL_SETS) {
      this.dropped += 1;
      return undefined;
    }
    this.metrics.set(name, metric);
    this.setCount += 1;
    const { buckets }: MetricRow = METRICS[name];
    const series: Series = { values: [...values], value: 0, counts: buckets && new Array<number>(buckets.length + 1).fill(0) };
    metric.series.push(series);
    branchOf(metric.root, values).series = series;
    return series;
  }
}

function branchOf(root: Branch, values: readonly string[]): Branch {
  let branch = root;
  for (const value of values) {
    branch.next ??= new Map();
    const next = branch.next.get(value) ?? {};
    branch.next.set(value, next);
    branch = next;
  }
  return branch;
}

function samplesOf({ labels: names, buckets }: MetricRow, { values, value, counts }: Series): Sample[] {
  const labels = Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']));
  if (!buckets || !counts) return [{ suffix: '', labels, value }];
  let sum = 0;
  const samples = counts.map((count, i): Sample => {
    sum += count;
    return { suffix: '_bucket', labels: { ...labels, le: buckets[i] ?? '+Inf' }, value: sum };
  });
  return [...samples, { suffix: '_sum', labels, value }, { suffix: '_count', labels, value: sum }];
}
