import { useEffect, useState } from 'preact/hooks';
import type { RunEvent } from '../../../../src/port/run_event';
import { AUTHENTICATED } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import { finalRefusalOf } from '../parts/loadable';
import { readEvents } from './run_api';
import { addPage, EMPTY_LOG, lastSeqOf, type RunLog } from './run_log';

/** Interval of reading new events of a run that goes on, in milliseconds. */
const POLL_MS = 1_000;

export interface LoadedLog {
  log: RunLog;
  /** Why the log cannot be read; a retry follows by itself when this is absent. */
  refusal?: string | undefined;
}

/** Reads the log page by page, and follows it until the run has ended. */
export function useRunLog(runId: string): LoadedLog {
  const [loaded, setLoaded] = useState<LoadedLog>({ log: EMPTY_LOG });
  useEffect(() => {
    let log = EMPTY_LOG;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const show = (next: LoadedLog) => isOver || setLoaded(next);
    const take = ({ data, nextCursor }: Page<RunEvent>) => {
      log = addPage(log, data, nextCursor === undefined || data.length === 0);
      show({ log });
    };
    const read = async () => {
      clearTimeout(timer);
      try {
        do take(await readEvents(runId, lastSeqOf(log)));
        while (!isOver && !log.isWhole);
      } catch (error) {
        const refusal = finalRefusalOf(error);
        if (refusal !== undefined) return show({ log, refusal });
      }
      const hasEnded = log.events.at(-1)?.type === 'run_end';
      if (!isOver && !hasEnded) timer = setTimeout(() => void read(), POLL_MS);
    };
    setLoaded({ log });
    void read();
    const onLogin = () => void read();
    addEventListener(AUTHENTICATED, onLogin);
    return () => {
      isOver = true;
      clearTimeout(timer);
      removeEventListener(AUTHENTICATED, onLogin);
    };
  }, [runId]);
  return loaded;
}
