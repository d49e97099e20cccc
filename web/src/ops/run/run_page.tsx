import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useNow } from '../../components/basic/use_now';
import { ReplayPart } from '../../feature/replay/replay_part';
import { useLocale } from '../../i18n/language_context';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { useResource } from '../parts/use_resource';
import { useOps, usePlace } from '../shared/ops_controller';
import { CompareRuns } from './compare_runs';
import { RunActions } from './run_actions';
import { readRun } from './run_api';
import { RunFacts } from './run_facts';
import { eventAt } from './run_log';
import { RunNow } from './run_now';
import { RunReasons } from './run_reasons';
import { isTerminal } from './run_states';
import { runTexts } from './run_texts';
import type { RunDetail } from './run_types';
import { Scrubber } from './scrubber';
import { useRunLog } from './use_run_log';
import { Waterfall } from './waterfall';
import './run.css';
import './steps.css';

/** Interval of reading a run that goes on, in milliseconds. */
const REFRESH_MS = 2_000;
/** A drag that pauses this long has come to rest, in milliseconds. */
const REST_MS = 200;

/** One run: its facts, where its time went, why it had its tools, and its log. */
export function RunPage({ runId }: { runId: string }) {
  const texts = runTexts[useLocale()];
  const [isOver, setOver] = useState(false);
  const resource = useResource<RunDetail>(runId, () => readRun(runId), isOver ? undefined : REFRESH_MS);
  const { data } = resource;
  useEffect(() => setOver(data !== undefined && isTerminal(data.run.status)), [data]);
  return (
    <>
      <p>
        <OpsLink screen="runs">{texts.back}</OpsLink>
      </p>
      <LoadNotice of={resource} />
      {data && <RunContent detail={data} onChanged={resource.reload} />}
    </>
  );
}

interface RunContentProps {
  detail: RunDetail;
  onChanged: () => void;
}

function RunContent({ detail, onChanged }: RunContentProps) {
  const texts = runTexts[useLocale()];
  const { run, live, waterfall, isTruncated, isExpired } = detail;
  const [seq, setSeq] = useShownSeq(run.lastSeq);
  const { log, refusal } = useRunLog(run.runId, isExpired ? 0 : run.lastSeq, seq);
  const event = eventAt(log, seq);
  const accepted = Date.parse(run.createdAt);
  return (
    <>
      {live && <RunNow live={live} />}
      <RunFacts run={run} live={live} />
      <RunActions detail={detail} onChanged={onChanged} />
      <section aria-labelledby="waterfall-heading">
        <h2 id="waterfall-heading">{texts.waterfall}</h2>
        {isExpired && <p class="view-empty">{texts.expired}</p>}
        {isTruncated && <p class="field-note">{texts.truncated}</p>}
        {!isExpired && (
          <LiveWaterfall run={run}>
            {totalMs => (
              <Waterfall runId={run.runId} rows={waterfall} totalMs={totalMs} cursorMs={event && Date.parse(event.ts) - accepted} />
            )}
          </LiveWaterfall>
        )}
      </section>
      <section aria-labelledby="log-heading" id="log">
        <h2 id="log-heading">{texts.log}</h2>
        {refusal === undefined ? (
          <Scrubber runId={run.runId} createdAt={run.createdAt} log={log} seq={seq} onSeq={setSeq} />
        ) : (
          <p class="view-empty" data-testid="log-refused">
            {refusal}
          </p>
        )}
      </section>
      {isTerminal(run.status) && <ReplayPart runId={run.runId} tenantId={run.tenantId} isTemporary={run.isTemporary === true} />}
      <CompareRuns detail={detail} />
      <RunReasons detail={detail} />
    </>
  );
}

/** Renders with the time that the run has taken so far. */
function LiveWaterfall({ run, children }: { run: RunDetail['run']; children: (totalMs: number) => ComponentChildren }) {
  const isOver = run.endedAt !== undefined;
  const now = useNow(isOver ? 3_600_000 : 500);
  return <>{children((run.endedAt === undefined ? now : Date.parse(run.endedAt)) - Date.parse(run.createdAt))}</>;
}

/**
 * Returns the number of the event that the address names; without one, of the newest event, which moves on while the run does. The address follows
 * once a drag rests.
 */
function useShownSeq(last: number): [number, (seq: number) => void] {
  const ops = useOps();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const { hash, query } = usePlace();
  const named = Number.parseInt(hash || query['seq'] || '', 10);
  const [chosen, setChosen] = useState(named);
  useEffect(() => {
    if (Number.isInteger(named)) setChosen(named);
  }, [named]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const choose = (seq: number) => {
    setChosen(seq);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => ops.setHash(String(seq)), REST_MS);
  };
  return [Number.isInteger(chosen) ? chosen : last, choose];
}
