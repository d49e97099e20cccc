import { useEffect, useRef, useState } from 'preact/hooks';
import { memo } from '../../components/basic/memo';
import { formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { Locale } from '../../platform/preferences';
import { formatShort } from '../parts/format_figures';
import { OpsLink } from '../parts/ops_link';
import { type RunTexts, runTexts } from './run_texts';
import { formatOffset } from './run_time';
import type { WaterfallRow } from './run_types';
import { StepDetails } from './step_details';
import { depthOf, longestOf } from './step_tree';
import { TimeAxis } from './time_axis';

const ROWS_AT_ONCE = 100;

interface WaterfallProps {
  runId: string;
  rows: readonly WaterfallRow[];
  /** Milliseconds from the acceptance of the run to its end, or to now. */
  totalMs: number;
  /** Milliseconds of the shown event after the acceptance. */
  cursorMs: number | undefined;
  /** Milliseconds of the whole axis, when two runs share one; else those of this run. */
  widthMs?: number;
}

/** Returns the milliseconds that the axis of a run covers. */
export const widthOf = (rows: readonly WaterfallRow[], totalMs: number): number =>
  rows.reduce((most, { startMs, durationMs = 0 }) => Math.max(most, startMs + durationMs), Math.max(1, totalMs));

/** The steps of a run against time. Each row leads to its last event. A drag through the log moves the cursor and renders no row again. */
export function Waterfall({ runId, rows, totalMs, cursorMs, widthMs }: WaterfallProps) {
  const texts = runTexts[useLocale()];
  if (rows.length === 0) return <p class="view-empty">{texts.noSteps}</p>;
  const width = widthMs ?? widthOf(rows, totalMs);
  return (
    <>
      <div class="waterfall" data-testid="waterfall" style={{ '--cursor': cursorMs === undefined ? '-1%' : shareOf(cursorMs, width) }}>
        <TimeAxis width={width} />
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
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => scrollToLongest(list.current, rows), []);
  useEffect(() => {
    if (!end.current) return;
    const sight = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && setShown(shown + ROWS_AT_ONCE));
    sight.observe(end.current);
    return () => sight.disconnect();
  }, [shown, rest > 0]);
  return (
    <>
      <ol ref={list} aria-label={texts.waterfall}>
        {rows.slice(0, shown).map(row => (
          <Row key={`${row.kind} ${row.id ?? ''} ${row.fromSeq}`} runId={runId} row={row} width={width} depth={depthOf(row, rows)} />
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

/** Shows the step that took the most time: it explains the run. Only the list scrolls, never the page. */
function scrollToLongest(list: HTMLElement | null, rows: readonly WaterfallRow[]): void {
  const longest = longestOf(rows);
  const item = list?.children[longest ? rows.indexOf(longest) : -1];
  const box = list?.parentElement;
  if (!(item instanceof HTMLElement) || !box) return;
  const { top, bottom } = item.getBoundingClientRect();
  const seen = box.getBoundingClientRect();
  if (bottom > seen.bottom) box.scrollTop += top - seen.top - seen.height / 2;
}

interface RowProps {
  runId: string;
  row: WaterfallRow;
  width: number;
  /** Levels of steps that contain the step. */
  depth: number;
}

/** Steps with an input and an output. */
const HAS_TEXTS: ReadonlySet<WaterfallRow['kind']> = new Set(['model', 'tool', 'human', 'child']);

function Row({ runId, row, width, depth }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const locale = useLocale();
  const texts = runTexts[locale];
  const { kind, startMs, durationMs, firstTokenMs, fromSeq, toSeq } = row;
  const length = durationMs ?? width - startMs;
  const share = (ms: number) => shareOf(ms, width);
  const isRunning = durationMs === undefined;
  return (
    <li data-testid="waterfall-row" data-kind={kind} data-ok={row.ok} data-depth={depth} class="waterfall-item">
      {HAS_TEXTS.has(kind) && (
        <button
          type="button"
          class="step-toggle"
          aria-expanded={isOpen}
          aria-label={texts.showStep(nameOf(row, texts))}
          data-testid="step-toggle"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '−' : '+'}
        </button>
      )}
      <OpsLink screen="runs" item={runId} hash={String(toSeq ?? fromSeq)} class="waterfall-row">
        <span class="waterfall-kind">{texts.kinds[kind]}</span>
        <span class={`waterfall-name depth-${depth}`}>{nameOf(row, texts)}</span>
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
        <span class="waterfall-time">{isRunning ? texts.goesOn : formatDuration(durationMs, locale)}</span>
        <span class="waterfall-facts">{factsOf(row, texts, locale).join(' · ')}</span>
      </OpsLink>
      {isOpen && <StepDetails runId={runId} row={row} />}
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
function factsOf(row: WaterfallRow, texts: RunTexts, locale: Locale): string[] {
  const count = (value: number) => formatShort(value, locale);
  const { startMs, firstTokenMs, ok, outcome, isCached, isDuplicate, inputTokens, cachedTokens, outputTokens } = row;
  return [
    texts.startsAt(formatOffset(startMs)),
    firstTokenMs !== undefined && texts.firstToken(formatDuration(firstTokenMs, locale)),
    inputTokens !== undefined && texts.tokensOf(count(inputTokens), count(cachedTokens ?? 0), count(outputTokens ?? 0)),
    ok === false && texts.failed,
    outcome !== undefined && outcome !== 'ok' && outcome !== 'error' && (texts.outcomes[outcome] ?? outcome),
    isCached === true && texts.cached,
    isDuplicate === true && texts.duplicate,
  ].filter(fact => fact !== false);
}
