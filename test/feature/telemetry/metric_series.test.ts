import { MAX_SETS, MetricSeries } from '../../../src/feature/telemetry/metric_series';

const dropped = (series: MetricSeries) => series.samplesOf('neta_metrics_series_dropped_total')[0]?.value;

describe('the series of metrics', () => {
  it('adds up counters by their labels', () => {
    const series = new MetricSeries();
    series.add('neta_ws_connects_total', ['ok']);
    series.add('neta_ws_connects_total', ['ok'], 2);
    series.create('neta_ws_connects_total', ['rejected']);
    expect(series.samplesOf('neta_ws_connects_total')).toEqual([
      { suffix: '', labels: { result: 'ok' }, value: 3 },
      { suffix: '', labels: { result: 'rejected' }, value: 0 },
    ]);
  });

  it('counts a value in every bucket from its own on, a bound included', () => {
    const series = new MetricSeries();
    for (const iterations of [1, 2, 4, 100]) series.observe('neta_run_iterations', ['default'], iterations);
    const samples = series.samplesOf('neta_run_iterations');
    const bucket = (le: number | string) => samples.find(({ labels }) => labels['le'] === le)?.value;
    expect([1, 2, 3, 5, 55, '+Inf'].map(bucket)).toEqual([1, 2, 2, 3, 3, 4]);
    expect(samples.slice(-2)).toEqual([
      { suffix: '_sum', labels: { agent: 'default' }, value: 107 },
      { suffix: '_count', labels: { agent: 'default' }, value: 4 },
    ]);
  });

  it('drops and counts label sets beyond the limit of a metric, and keeps counting the known ones', () => {
    const series = new MetricSeries();
    for (let i = 0; i < MAX_SETS + 5; i++) series.add('neta_mcp_reconnects_total', [`server-${i}`]);
    series.add('neta_mcp_reconnects_total', ['server-0']);
    expect(series.samplesOf('neta_mcp_reconnects_total')).toHaveLength(MAX_SETS);
    expect(series.samplesOf('neta_mcp_reconnects_total')[0]?.value).toBe(2);
    expect(dropped(series)).toBe(5);
  });

  it('limits the label sets of all metrics together', () => {
    const series = new MetricSeries();
    const names = [
      'neta_mcp_reconnects_total',
      'neta_tool_retries_total',
      'neta_ws_connects_total',
      'neta_ws_disconnects_total',
      'neta_ws_resume_total',
      'neta_idempotency_total',
      'neta_subagents_total',
      'neta_jobs_total',
      'neta_tool_result_truncated_total',
      'neta_budget_blocks_total',
    ] as const;
    for (const name of names) for (let i = 0; i < MAX_SETS; i++) series.add(name, [`${i}`]);
    series.add('neta_escalations_total', []);
    expect(series.samplesOf('neta_escalations_total')).toEqual([]);
    expect(dropped(series)).toBe(1);
  });

  it('frees the sets of a gauge that is read anew', () => {
    const series = new MetricSeries();
    for (let round = 0; round < 3; round++) {
      series.clear('neta_sse_streams');
      for (let i = 0; i < MAX_SETS; i++) series.set('neta_sse_streams', [`${i}`], 1);
    }
    expect(dropped(series)).toBe(0);
  });
});
