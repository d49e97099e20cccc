import type { ComponentChildren } from 'preact';
import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';
import { formatMinute } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { Locale } from '../../platform/preferences';
import { formatTime } from '../parts/format_figures';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { PickOne } from '../parts/pick_one';
import { useResource } from '../parts/use_resource';
import { type OpsController, useOps, useOpsQuery } from '../shared/ops_controller';
import { historyTexts } from './history_texts';

export type History = Answer<'OpsHistory'>;

/** The parts of the chosen time, and everything that charts over these parts share. */
export interface HistoryView {
  history: History;
  parts: History['parts'];
  /** The person has zoomed to a time; true for all times without a zoom. */
  isShown: (at: string) => boolean;
  /** Properties of each chart. */
  shared: {
    x: number[];
    xText: (second: number) => string;
    tickText: (second: number) => string;
    marks: number[];
    onZoom: (from: number, to: number) => void;
  };
}

interface HistoryFrameProps {
  /** More choices beside the span. */
  picks?: ComponentChildren;
  /** Draws the charts. */
  children: (view: HistoryView) => ComponentChildren;
}

const HOURS = ['1', '6', '24', '168', '720'] as const;
/** Parts of spans over a day are longer. */
const MAX_DAY_PART_MS = 900_000;
/** The gateway shares a reading for as long. */
const REFRESH_MS = 30_000;

/** Charts of a span that the person picks. A drag in a chart zooms all of them, and leads to the runs of that time. */
export function HistoryFrame({ picks, children }: HistoryFrameProps) {
  const locale = useLocale();
  const texts = historyTexts[locale];
  const ops = useOps();
  const asked = useOpsQuery('hours');
  const zoom = { since: useOpsQuery('since'), until: useOpsQuery('until') };
  const hours = HOURS.find(each => each === asked) ?? '1';
  const history = useResource(hours, () => callRest<History>('GET', `/ops/history?hours=${hours}`), REFRESH_MS);
  const spans = HOURS.map(value => ({ value, text: texts.spans[value] }));
  return (
    <>
      <div class="toolbar">
        <PickOne name="hours" label={texts.span} picks={spans} value={hours} resets={['since', 'until']} />
        {picks}
        <Zoom {...zoom} />
      </div>
      <LoadNotice of={history} />
      {history.data && (
        <>
          {history.data.isTruncated && <p class="field-note">{texts.truncated}</p>}
          <div class="charts" data-testid="history">
            {children(viewOf(history.data, { ...zoom, locale, ops }))}
          </div>
          <Marks marks={history.data.marks} />
        </>
      )}
    </>
  );
}

interface Zoomed {
  since: string;
  until: string;
}

/** The time that a drag has chosen, the runs in it, and the way back. */
function Zoom({ since, until }: Zoomed) {
  const locale = useLocale();
  const texts = historyTexts[locale];
  const ops = useOps();
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

function viewOf(history: History, { since, until, locale, ops }: Zoomed & { locale: Locale; ops: OpsController }): HistoryView {
  const isShown = (at: string) => !(Date.parse(at) < Date.parse(since) || Date.parse(at) >= Date.parse(until));
  const parts = history.parts.filter(({ at }) => isShown(at));
  const timeOf = (second: number) => new Date(second * 1000);
  return {
    history,
    parts,
    isShown,
    shared: {
      x: parts.map(({ at }) => Date.parse(at) / 1000),
      xText: second => formatMinute(timeOf(second).toISOString(), locale),
      tickText: second => tickOf(timeOf(second), locale, history),
      marks: history.marks.map(({ at }) => Date.parse(at) / 1000),
      onZoom: (from, to) => {
        // Whole parts: a point stands at the beginning of its part.
        const part = history.partMs;
        const startOf = (second: number) => Math.floor((second * 1000) / part) * part;
        ops.setQuery({ since: new Date(startOf(from)).toISOString(), until: new Date(startOf(to) + part).toISOString() });
      },
    },
  };
}

/** Names a place on the axis: the time of a day, or the day of a longer span. */
function tickOf(at: Date, locale: Locale, { partMs }: History): string {
  return partMs > MAX_DAY_PART_MS ? at.toLocaleDateString(locale, { month: 'short', day: 'numeric' }) : formatTime(at.getTime(), locale);
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
