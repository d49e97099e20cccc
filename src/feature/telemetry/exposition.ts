/** Writes the metrics in the text format of Prometheus, with prom-client's metrics of the process. */
import type { MetricSeries, Sample } from './metric_series';
import { METRICS, type MetricName } from './metric_table';
import type { Exposition } from './metrics_sources';

/** The part of a metric that the registry of prom-client calls. */
interface ReadableMetric {
  name: string;
  get(): Promise<{ name: string; help: string; type: string; values: unknown[]; aggregator: string }>;
}

/** Loads prom-client; its numbers of the process begin here. */
export async function createExposition(): Promise<(series: MetricSeries) => Promise<Exposition>> {
  const { Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges with the name of a counter, which `promtool check metrics` refuses.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  let current: MetricSeries | undefined;
  for (const name of Object.keys(METRICS) as MetricName[]) {
    const metric: ReadableMetric = {
      name,
      get: async () => ({
        name,
        help: METRICS[name].help.en,
        type: METRICS[name].type,
        values: (current?.samplesOf(name) ?? []).map(sample => toValue(name, sample)),
        aggregator: 'sum',
      }),
    };
    // The registry calls nothing else of a metric.
    registry.registerMetric(metric as never);
  }
  return async series => {
    current = series;
    return { contentType: registry.contentType, text: await registry.metrics() };
  };
}

const toValue = (name: string, { suffix, labels, value }: Sample) => ({ metricName: `${name}${suffix}`, labels, value });
