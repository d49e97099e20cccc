import { formatCost, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { Chart } from '../parts/chart';
import { PickOne } from '../parts/pick_one';
import { useOpsQuery } from '../shared/ops_controller';
import { type History, HistoryFrame, type HistoryView } from './history_frame';
import { type HistoryTexts, historyTexts } from './history_texts';
import { WaitingChart } from './waiting_chart';

const KINDS = ['tenant', 'key', 'model'] as const;
type CostKind = (typeof KINDS)[number];

/** Runs, times, queue, people and cost over time. */
export function HistoryCharts() {
  const texts = historyTexts[useLocale()];
  const asked = useOpsQuery('costBy');
  const seesAll = useScope('operator');
  const kinds = seesAll ? KINDS : KINDS.filter(each => each !== 'tenant');
  const by = kinds.find(each => each === asked) ?? kinds[0] ?? 'model';
  const picks = kinds.map(value => ({ value, text: texts.kinds[value] }));
  return (
    <HistoryFrame picks={<PickOne name="costBy" label={texts.costBy} picks={picks} value={by} />}>
      {view => (
        <>
          <RunCharts {...view} />
          <WaitingChart {...view} />
          <CostChart view={view} by={by} />
        </>
      )}
    </HistoryFrame>
  );
}

function RunCharts({ history, parts, shared }: HistoryView) {
  const locale = useLocale();
  const texts = historyTexts[locale];
  const duration = (ms: number) => formatDuration(ms, locale);
  const to = { screen: 'runs', query: { since: history.from } };
  const valuesOf = (name: 'p50Ms' | 'p90Ms' | 'p99Ms' | 'queueP95Ms') => parts.map(part => part[name] ?? 0);
  return (
    <>
      <Chart
        {...shared}
        to={to}
        title={texts.runs}
        format={String}
        series={[
          { name: texts.ended, values: parts.map(({ runs }) => runs) },
          { name: texts.failed, values: parts.map(({ failed }) => failed) },
        ]}
      />
      <Chart
        {...shared}
        to={to}
        title={texts.latency}
        format={duration}
        series={[
          { name: 'p99', values: valuesOf('p99Ms') },
          { name: 'p90', values: valuesOf('p90Ms') },
          { name: 'p50', values: valuesOf('p50Ms') },
        ]}
      />
      <Chart {...shared} to={to} title={texts.queue} format={duration} series={[{ name: 'p95', values: valuesOf('queueP95Ms') }]} />
    </>
  );
}

function CostChart({ view: { history, isShown, shared }, by }: { view: HistoryView; by: CostKind }) {
  const locale = useLocale();
  const texts = historyTexts[locale];
  const starts = history.cost.at.map((at, index) => ({ at, index })).filter(({ at }) => isShown(at));
  return (
    <Chart
      {...shared}
      to={{ screen: 'models', query: { by } }}
      x={starts.map(({ at }) => Date.parse(at) / 1000)}
      title={texts.cost(texts.kinds[by])}
      format={value => formatCost(value, locale)}
      isStacked
      series={seriesOf(history, { by, starts, texts })}
    />
  );
}

interface CostChoice {
  by: CostKind;
  starts: readonly { index: number }[];
  texts: HistoryTexts;
}

/** A chart without cost shows a line at nothing, so that it is there from the first day on. */
function seriesOf({ cost }: History, { by, starts, texts }: CostChoice) {
  const series = cost[by].map(({ name, values }) => ({
    name: name === '*' ? texts.rest : name || texts.unnamed,
    values: starts.map(({ index }) => values[index] ?? 0),
  }));
  return series.length > 0 ? series : [{ name: texts.noCost, values: starts.map(() => 0) }];
}
