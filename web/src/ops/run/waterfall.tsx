import { useEffect, useRef, useState } from 'preact/hooks';
import { memo } from '../../components/basic/memo';
import { formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { formatShort } from '../parts/format_figures';
import { OpsLink } from '../parts/ops_link';
import { type RunTexts, runTexts } from './run_texts';
import { formatOffset } from './run_time';
import type { WaterfallRow } from './run_types';

const ROWS_AT_ONCE = 100;

interface WaterfallProps {
  runId: string;
  rows: readonly WaterfallRow[];
  /** Milliseconds from the acceptance of the run to its end, or to now. */
  totalMs: number;
  /** Milliseconds of the shown event after the acceptance. */
  cursorMs: number | undefined;
}

/** The steps of a run against time. Each row leads to its last event. A drag through the log moves the cursor and renders no row again. */
export function Waterfall({ runId, rows, totalMs, cursorMs }: WaterfallProps) {
  const texts = runTexts[useLocale()];
  if (rows.length === 0) return <p class="view-empty">{texts.noSteps}</p>;
  const width = rows.reduce((most, { startMs, durationMs = 0 }) => Math.max(most, startMs + durationMs), Math.max(1, totalMs));
  return (
    <>
      <div class="waterfall" data-testid="waterfall" style={{ '--cursor': cursorMs === undefined ? '-1%' : shareOf(cursorMs, width) }}>
        <Rows runId={runId} rows={rows} width={width} />
      </div>
      <p class="field-note">{texts.legend}</p>
    </>
  );
}

/** A run of 10,000 events has thousands of steps, and their rows would hold the page for seconds: more follow as the list is scrolled to its end. */
const Rows = memo(function Rows({ runId, rows, width }: { runId: string; rows: readonly WaterfallRow[]; width: number }) {
  const texts = runTexts[useLocale()];
  const [shown, setShown] = useState(ROWS_AT_ONCE);
  const rest = rows.length - shown;
  const end = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!end.current) return;
    const sight = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && setShown(shown + ROWS_AT_ONCE));
    sight.observe(end.current);
    return () => sight.disconnect();
  }, [shown, rest > 0]);
  return (
    <>
      <ol aria-label={texts.waterfall}>
        {rows.slice(0, shown).map(row => (
          <Row key={`${row.kind} ${row.id ?? ''} ${row.fromSeq}`} runId={runId} row={row} width={width} />
        ))}
      </ol>
      {rest > 0 && (
        <button ref={end} type="button" class="link-button" data-testid="more-steps" onClick={() => setShown(shown + ROWS_AT_ONCE)}>
          {texts.moreSteps(rest)}
        </button>
      )}
    </>
  );
});

const shareOf = (ms: number, width: number): string => `${(100 * Math.min(1, Math.max(0, ms / width))).toFixed(3)}%`;

function Row({ runId, row, width }: { runId: string; row: WaterfallRow; width: number }) {
  const locale = useLocale();
  const texts = runTexts[locale];
  const { kind, startMs, durationMs, firstTokenMs, fromSeq, toSeq } = row;
  const length = durationMs ?? width - startMs;
  const share = (ms: number) => shareOf(ms, width);
  const isRunning = durationMs === undefined;
  return (
    <li data-testid="waterfall-row" data-kind={kind} data-ok={row.ok}>
      <OpsLink screen="runs" item={runId} hash={String(toSeq ?? fromSeq)} class="waterfall-row">
        <span class="waterfall-kind">{texts.kinds[kind]}</span>
        <span class="waterfall-name">{nameOf(row, texts)}</span>
        <span class="waterfall-track" aria-hidden="true">
          <span
            class={`waterfall-bar ${kind}${row.ok === false ? ' failed' : ''}${isRunning ? ' running' : ''}`}
            style={{ left: share(startMs), width: share(length) }}
          />
          {firstTokenMs !== undefined && (
            <span class="waterfall-token" data-testid="first-token" style={{ left: share(startMs + firstTokenMs) }} />
          )}
          <span class="waterfall-cursor" />
        </span>
        <span class="waterfall-time">{isRunning ? texts.goesOn : formatDuration(durationMs)}</span>
        <span class="waterfall-facts">{factsOf(row, texts, (count: number) => formatShort(count, locale)).join(' · ')}</span>
      </OpsLink>
    </li>
  );
}

function nameOf({ kind, name }: WaterfallRow, texts: RunTexts): string {
  if (kind === 'queue') return texts.inQueue;
  if (kind === 'compaction') return texts.summarised;
  if (kind !== 'human') return name;
  return name === 'question' ? texts.question : texts.approvalOf(name);
}

/** Says in words what the bar shows, and how the step ended. */
function factsOf(row: WaterfallRow, texts: RunTexts, count: (count: number) => string): string[] {
  const { startMs, firstTokenMs, ok, outcome, isCached, isDuplicate, inputTokens, cachedTokens, outputTokens } = row;
  return [
    texts.startsAt(formatOffset(startMs)),
    ...(firstTokenMs === undefined ? [] : [texts.firstToken(formatDuration(firstTokenMs))]),
    ...(inputTokens === undefined ? [] : [texts.tokensOf(count(inputTokens), count(cachedTokens ?? 0), count(outputTokens ?? 0))]),
    ...(ok === false ? [texts.failed] : []),
    ...(outcome !== undefined && outcome !== 'ok' && outcome !== 'error' ? [texts.outcomes[outcome] ?? outcome] : []),
    ...(isCached ? [texts.cached] : []),
    ...(isDuplicate ? [texts.duplicate] : []),
  ];
}
