import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';
import { formatCost, formatDuration, formatMinute } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { Locale } from '../../platform/preferences';
import { useScope } from '../../state/scope_context';
import { Chart } from '../parts/chart';
import { formatTime } from '../parts/format_figures';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { useResource } from '../parts/use_resource';
import { useOps, useOpsQuery } from '../shared/ops_controller';
import { type HistoryTexts, historyTexts } from './history_texts';
import { type Choice, PickOne } from './pick_one';
import { ToolErrors } from './tool_errors';

type History = Answer<'OpsHistory'>;

const HOURS = ['1', '6', '24', '168', '720'] as const;
const KINDS = ['tenant', 'key', 'model'] as const;
/** Parts of spans over a day are longer. */
const MAX_DAY_PART_MS = 900_000;
/** The gateway shares a reading for as long. */
const REFRESH_MS = 30_000;

/** Charts of a span that the person picks. A drag in a chart zooms all of them, and leads to the runs of that time. */
export function HistoryCharts() {
  const texts = historyTexts[useLocale()];
  const [askedHours, askedKind] = [useOpsQuery('hours'), useOpsQuery('costBy')];
  const seesAll = useScope('admin');
  const hours = HOURS.find(each => each === askedHours) ?? '1';
  const kinds = seesAll ? KINDS : KINDS.filter(each => each !== 'tenant');
  const by = kinds.find(each => each === askedKind) ?? kinds[0] ?? 'model';
  const history = useResource(hours, () => callRest<History>('GET', `/ops/history?hours=${hours}`), REFRESH_MS);
  const hourPicks: Choice[] = HOURS.map(value => ({ value, text: texts.spans[value] }));
  return (
    <>
      <div class="toolbar">
        <PickOne name="hours" label={texts.span} picks={hourPicks} value={hours} resets={['since', 'until']} />
        <PickOne name="costBy" label={texts.costBy} picks={kinds.map(value => ({ value, text: texts.kinds[value] }))} value={by} />
        <Zoom />
      </div>
      <LoadNotice of={history} />
      {history.data && (
        <>
          {history.data.isTruncated && <p class="field-note">{texts.truncated}</p>}
          <Charts history={history.data} by={by} />
          <Marks marks={history.data.marks} />
        </>
      )}
      <ToolErrors />
    </>
  );
}

/** The time that a drag has chosen, the runs in it, and the way back. */
function Zoom() {
  const locale = useLocale();
  const texts = historyTexts[locale];
  const ops = useOps();
  const [since, until] = [useOpsQuery('since'), useOpsQuery('until')];
  if (since === '' || until === '') return <span class="filter">{texts.dragHint}</span>;
  return (
    <span class="filter" data-testid="zoomed">
      <OpsLink screen="runs" query={{ since, until }} testId="zoomed-runs">
        {texts.runsOf(formatMinute(since, locale), formatMinute(until, locale))}
      </OpsLink>
      <button type="button" class="link-button" data-testid="zoom-out" onClick={() => ops.setQuery({ since: '', until: '' })}>
        {texts.zoomOut}
      </button>
    </span>
  );
}

function Charts({ history, by }: { history: History; by: (typeof KINDS)[number] }) {
  const locale = useLocale();
  const texts = historyTexts[locale];
  const ops = useOps();
  const [since, until] = [Date.parse(useOpsQuery('since')), Date.parse(useOpsQuery('until'))];
  const isIn = (at: string) => !(Date.parse(at) < since || Date.parse(at) >= until);
  const parts = history.parts.filter(({ at }) => isIn(at));
  const days = history.cost.at.map((at, index) => ({ at, index })).filter(({ at }) => isIn(at));
  const shared = {
    x: parts.map(({ at }) => Date.parse(at) / 1000),
    xText: (second: number) => formatMinute(new Date(second * 1000).toISOString(), locale),
    tickText: (second: number) => tickOf(new Date(second * 1000), locale, history),
    marks: history.marks.map(({ at }) => Date.parse(at) / 1000),
    onZoom: (from: number, to: number) => {
      // Whole parts: a point stands at the beginning of its part.
      const part = history.partMs;
      const startOf = (second: number) => Math.floor((second * 1000) / part) * part;
      ops.setQuery({ since: new Date(startOf(from)).toISOString(), until: new Date(startOf(to) + part).toISOString() });
    },
    to: { screen: 'runs', query: { since: history.from } },
  };
  const valuesOf = (name: 'p50Ms' | 'p90Ms' | 'p99Ms' | 'queueP95Ms') => parts.map(part => part[name] ?? 0);
  return (
    <div class="charts" data-testid="history">
      <Chart
        {...shared}
        title={texts.runs}
        format={String}
        series={[
          { name: texts.ended, values: parts.map(({ runs }) => runs) },
          { name: texts.failed, values: parts.map(({ failed }) => failed) },
        ]}
      />
      <Chart
        {...shared}
        title={texts.latency}
        format={formatDuration}
        series={[
          { name: 'p99', values: valuesOf('p99Ms') },
          { name: 'p90', values: valuesOf('p90Ms') },
          { name: 'p50', values: valuesOf('p50Ms') },
        ]}
      />
      <Chart {...shared} title={texts.queue} format={formatDuration} series={[{ name: 'p95', values: valuesOf('queueP95Ms') }]} />
      <Chart
        {...shared}
        to={{ screen: 'models', query: { by } }}
        x={days.map(({ at }) => Date.parse(at) / 1000)}
        title={texts.cost(texts.kinds[by])}
        format={value => formatCost(value, locale)}
        isStacked
        series={seriesOf(history, { by, days, texts })}
      />
    </div>
  );
}

interface CostChoice {
  by: (typeof KINDS)[number];
  days: readonly { index: number }[];
  texts: HistoryTexts;
}

/** Names a place on the axis: the time of a day, or the day of a longer span. */
function tickOf(at: Date, locale: Locale, { partMs }: History): string {
  return partMs > MAX_DAY_PART_MS ? at.toLocaleDateString(locale, { month: 'short', day: 'numeric' }) : formatTime(at.getTime(), locale);
}

/** A chart without cost shows a line at nothing, so that it is there from the first day on. */
function seriesOf({ cost }: History, { by, days, texts }: CostChoice) {
  const series = cost[by].map(({ name, values }) => ({
    name: name === '*' ? texts.rest : name || texts.unnamed,
    values: days.map(({ index }) => values[index] ?? 0),
  }));
  return series.length > 0 ? series : [{ name: texts.noCost, values: days.map(() => 0) }];
}

/** The marks of the charts in words. */
function Marks({ marks }: { marks: History['marks'] }) {
  const locale = useLocale();
  const texts = historyTexts[locale];
  if (marks.length === 0) return null;
  return (
    <details class="chart-marks" data-testid="history-marks">
      <summary>{texts.marks(marks.length)}</summary>
      <ul>
        {marks.map(({ at, kind, actor, actionText, actionTextZh, target }) => (
          <li key={`${at} ${target} ${actionText}`}>
            <time dateTime={at}>{formatMinute(at, locale)}</time>{' '}
            {kind === 'start' ? texts.started(target) : [actor, locale === 'zh-CN' ? actionTextZh : actionText, target].join(' ')}
          </li>
        ))}
      </ul>
    </details>
  );
}
