import { MetricSeries } from '../../../src/feature/telemetry/metric_series';
import { createZeros } from '../../../src/feature/telemetry/metric_zeros';
import { WEBHOOK_EVENTS } from '../../../src/port/webhook_sender';

const NAMES = { agents: [], models: [], tools: [], storeKind: 'postgres' as const };

describe('label sets at 0', () => {
  it('name the database', () => {
    const series = new MetricSeries();
    createZeros(series, NAMES);
    const stores = series.samplesOf('neta_store_operation_duration_seconds').map(({ labels }) => labels['store']);
    expect(new Set(stores)).toEqual(new Set(['postgres']));
  });

  it.each([
    ['neta_context_compactions_total', 3],
    ['neta_tool_duplicates_total', 2],
    ['neta_approvals_total', 6],
    ['neta_tool_retries_total', 1],
    ['neta_tool_result_truncated_total', 1],
    ['neta_webhook_deliveries_total', 3 * WEBHOOK_EVENTS.length],
  ] as const)('of %s are all that an agent, a tool and the events can have', (name, count) => {
    const series = new MetricSeries();
    createZeros(series, { ...NAMES, agents: ['default'], tools: [{ tool: 'bash', toolset: 'base' }] });
    expect(series.samplesOf(name).map(({ value }) => value)).toEqual(Array(count).fill(0));
  });

  it('have calls of the embedding model when there is one', () => {
    const samplesWith = (names: object) => {
      const series = new MetricSeries();
      createZeros(series, { ...NAMES, ...names });
      return series.samplesOf('gen_ai_client_operation_duration_seconds').filter(({ suffix }) => suffix === '_count');
    };
    const [zero, ...others] = samplesWith({ embedding: { provider: 'openai', model: 'small' } });
    expect(zero?.value).toBe(0);
    expect(Object.values(zero?.labels ?? {})).toEqual(['embeddings', 'openai', 'small', '']);
    expect([others, samplesWith({})]).toEqual([[], []]);
  });
});
