import { useEffect, useState } from 'preact/hooks';
import type { RunEvent } from '../../../../src/port/run_event';
import { CopyButton } from '../../components/basic/copy_button';
import { formatExact } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { OpsLink } from '../parts/ops_link';
import { runHref } from '../shared/place';
import { eventAt, eventsAround, nearest, type RunLog, summaryOf, textAt } from './run_log';
import { runTexts } from './run_texts';
import { formatOffset } from './run_time';
import { REACH } from './use_run_log';

interface ScrubberProps {
  runId: string;
  /** When the run was accepted, ISO-8601 UTC. */
  createdAt: string;
  log: RunLog;
  /** The event that is shown. */
  seq: number;
  onSeq: (seq: number) => void;
}

/** Goes through the log of a run: drag, arrow keys, or a link to one event. */
export function Scrubber({ runId, createdAt, log, seq, onSeq }: ScrubberProps) {
  const texts = runTexts[useLocale()];
  const { first, last } = log;
  if (last === 0) return <p class="view-empty">{texts.noEvents}</p>;
  const event = eventAt(log, seq);
  const shown = nearest(log, seq);
  const position = texts.eventOf(shown, last);
  return (
    <div class="scrubber" data-testid="scrubber">
      <div class="scrubber-bar">
        <StepButton label={texts.earlier} sign="‹" isOff={shown <= first} testId="event-earlier" onStep={() => onSeq(shown - 1)} />
        <input
          type="range"
          min={first}
          max={last}
          step={1}
          value={shown}
          aria-label={texts.scrubber}
          aria-valuetext={event ? `${position}: ${event.type}` : position}
          data-testid="scrub"
          onInput={({ currentTarget }) => onSeq(Number(currentTarget.value))}
        />
        <StepButton label={texts.later} sign="›" isOff={shown >= last} testId="event-later" onStep={() => onSeq(shown + 1)} />
        <span class="scrubber-position" data-testid="scrub-position">
          {position}
        </span>
        <CopyButton text={() => location.origin + runHref(runId, shown)} label={texts.copyLink(shown)} />
      </div>
      <div class="scrubber-body">
        <EventList runId={runId} createdAt={createdAt} log={log} shown={shown} />
        {event ? <EventCard log={log} event={event} /> : <p class="view-empty">{texts.reading}</p>}
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

/** Lists the events around the shown one; each event is a link to itself. */
function EventList({ runId, createdAt, log, shown }: Pick<ScrubberProps, 'runId' | 'createdAt' | 'log'> & { shown: number }) {
  const texts = runTexts[useLocale()];
  const start = Date.parse(createdAt);
  return (
    <ol class="event-list" aria-label={texts.eventsAround}>
      {eventsAround(log, shown, REACH).map(event => (
        <li key={event.seq}>
          <OpsLink
            screen="runs"
            item={runId}
            hash={String(event.seq)}
            class={event.seq === shown ? 'event-row current' : 'event-row'}
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
  const { text } = textAt(log, event.seq);
  const [json, setJson] = useState('');
  // A drag passes many events, so only an event on which it rests for a frame is written out.
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
