import { useEffect, useState } from 'preact/hooks';
import { AUTHENTICATED } from '../../api/call_rest';
import { finalRefusalOf } from '../parts/loadable';
import { readEvents } from './run_api';
import { addPage, EMPTY_LOG, findMissing, PAGE_SIZE, type RunLog } from './run_log';

/** Number of events above and below the shown event. */
export const REACH = 6;
/** Pause after a reading that failed, in milliseconds. */
const RETRY_MS = 1_000;
/** Milliseconds that a drag must rest before events are read: it passes many events that were not read. */
const REST_MS = 60;

export interface LoadedLog {
  log: RunLog;
  /** Why the log cannot be read; a retry follows by itself when this is absent. */
  refusal?: string | undefined;
}

/** Reads the part of the log around the event `seq`. `last`: number of the newest event. Another run needs another component. */
export function useRunLog(runId: string, last: number, seq: number): LoadedLog {
  const [{ log: read, refusal }, setLoaded] = useState<LoadedLog>({ log: EMPTY_LOG });
  const [attempt, setAttempt] = useState(0);
  const log = last > read.last ? { ...read, last } : read;
  const after = refusal === undefined && last > 0 ? findMissing(log, seq, REACH) : undefined;
  useEffect(() => {
    if (after === undefined) return;
    const readOn = () =>
      readEvents(runId, after, PAGE_SIZE).then(
        ({ data }) => setLoaded(before => ({ log: addPage(before.log, after, data) })),
        (error: unknown) => {
          const final = finalRefusalOf(error);
          if (final !== undefined) setLoaded(before => ({ ...before, refusal: final }));
          else timer = setTimeout(() => setAttempt(count => count + 1), RETRY_MS);
        },
      );
    let timer = setTimeout(readOn, log.events.size === 0 ? 0 : REST_MS);
    return () => clearTimeout(timer);
  }, [runId, after, attempt]);
  useEffect(() => {
    const onLogin = () => setLoaded(({ log: known }) => ({ log: known }));
    addEventListener(AUTHENTICATED, onLogin);
    return () => removeEventListener(AUTHENTICATED, onLogin);
  }, []);
  return { log, refusal };
}
