import { useEffect, useState } from 'preact/hooks';
import type { RunEvent } from '../../../../src/port/run_event';
import { CopyButton } from '../../components/copy_button';
import { formatExact } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { OpsLink } from '../parts/ops_link';
import { runHref } from '../place';
import { eventAt, eventsAround, lastSeqOf, type RunLog, summaryOf, textAt } from './run_log';
import { runTexts } from './run_texts';
import { formatOffset } from './run_time';

/** Events above and below the shown one. */
const REACH = 6;

interface ScrubberProps {
  runId: string;
  log: RunLog;
  /** The event that is shown. */
  seq: number;
  onSeq: (seq: number) => void;
}

/** Goes through the log of a run: drag, arrow keys, or a link to one event. */
export function Scrubber({ runId, log, seq, onSeq }: ScrubberProps) {
  const texts = runTexts[useLocale()];
  const event = eventAt(log, seq);
  if (!event) return <p class="view-empty">{log.isWhole ? texts.noEvents : texts.reading}</p>;
  const first = log.events[0]?.seq ?? 1;
  const last = lastSeqOf(log);
  const position = texts.eventOf(event.seq, last);
  return (
    <div class="scrubber" data-testid="scrubber">
      <div class="scrubber-bar">
        <StepButton label={texts.earlier} sign="‹" isOff={event.seq <= first} testId="event-earlier" onStep={() => onSeq(event.seq - 1)} />
        <input
          type="range"
          min={first}
          max={last}
          step={1}
          value={event.seq}
          aria-label={texts.scrubber}
          aria-valuetext={`${position}: ${event.type}`}
          data-testid="scrub"
          onInput={({ currentTarget }) => onSeq(Number(currentTarget.value))}
        />
        <StepButton label={texts.later} sign="›" isOff={event.seq >= last} testId="event-later" onStep={() => onSeq(event.seq + 1)} />
        <span class="scrubber-position" data-testid="scrub-position">
          {position}
        </span>
        <CopyButton text={() => location.origin + runHref(runId, event.seq)} label={texts.copyLink(event.seq)} />
      </div>
      <div class="scrubber-body">
        <EventList runId={runId} log={log} shown={event} />
        <EventCard log={log} event={event} />
      </div>
    </div>
  );
}

interface StepButtonProps {
  label: string;
  sign: string;
  isOff: boolean;
  testId: string;
  onStep: () => void;
}

function StepButton({ label, sign, isOff, testId, onStep }: StepButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      data-testid={testId}
      onClick={() => !isOff && onStep()}
    >
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}

/** The events around the shown one; each is a link to itself. */
function EventList({ runId, log, shown }: { runId: string; log: RunLog; shown: RunEvent }) {
  const texts = runTexts[useLocale()];
  const start = Date.parse(log.events[0]?.ts ?? shown.ts);
  return (
    <ol class="event-list" aria-label={texts.eventsAround}>
      {eventsAround(log, shown.seq, REACH).map(event => (
        <li key={event.seq}>
          <OpsLink
            screen="runs"
            item={runId}
            hash={String(event.seq)}
            class={event.seq === shown.seq ? 'event-row current' : 'event-row'}
            testId="event-row"
          >
            <span class="event-seq">{event.seq}</span>
            <span class="event-type">{event.type}</span>
            <span class="event-text">{summaryOf(event)}</span>
            <span class="event-time">{formatOffset(Date.parse(event.ts) - start)}</span>
          </OpsLink>
        </li>
      ))}
    </ol>
  );
}

function EventCard({ log, event }: { log: RunLog; event: RunEvent }) {
  const locale = useLocale();
  const texts = runTexts[locale];
  const text = textAt(log, event.seq);
  const [json, setJson] = useState('');
  // A drag passes many events: write out only the one on which it rests for a frame.
  useEffect(() => {
    const frame = requestAnimationFrame(() => setJson(JSON.stringify(event.data, null, 2)));
    return () => cancelAnimationFrame(frame);
  }, [event]);
  return (
    <section class="event-card" aria-live="polite" aria-label={texts.shownEvent} data-testid="event-card" data-seq={event.seq}>
      <h3>{`${event.seq} · ${event.type}`}</h3>
      <p class="field-note">{formatExact(event.ts, locale)}</p>
      {text !== '' && (
        <>
          <p class="field-note">{texts.textSoFar}</p>
          <p class="event-answer">{text}</p>
        </>
      )}
      {/* A long event scrolls, which a keyboard can do only with the focus. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard */}
      <pre tabIndex={0}>{json}</pre>
    </section>
  );
}
