import { useEffect, useRef, useState } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import { refusalOf } from '../../api/request_error';
import type { Answer } from '../../api/schema_types';
import { followLiveView } from '../parts/live_view';
import type { Loadable } from '../parts/loadable';
import { useOps } from '../shared/ops_controller';

export type LogLine = Answer<'OpsLogs'>['data'][number];

export const keyOfLine = ({ n, time }: Pick<LogLine, 'n' | 'time'>): string => `${n} ${time}`;

/** Lines that the page keeps. */
const MAX_LINES = 1_000;
/** New lines appear together at this interval, in milliseconds: a busy gateway writes hundreds a second. */
const FLUSH_MS = 250;

/** Reads the last lines and follows the log, over breaks of the connection. `data`: oldest first. */
export function useLogTail(query: string): Loadable<readonly LogLine[]> {
  const ops = useOps();
  const [state, setState] = useState<Pick<Loadable<readonly LogLine[]>, 'data' | 'status' | 'refusal'>>({
    data: undefined,
    status: 'loading',
  });
  const [attempt, setAttempt] = useState(0);
  const news = useRef<LogLine[]>([]);
  useEffect(() => {
    let isOver = false;
    let isRead = false;
    news.current = [];
    setState({ data: undefined, status: 'loading' });
    ops.store.set({ live: 'connecting', liveAt: undefined });
    // Lines that were written while the stream was away come with the next reading; a line that came twice has the same number.
    const readLast = async () => {
      const { data } = await callRest<Answer<'OpsLogs'>>('GET', `/ops/logs?${query}`);
      if (isOver) return;
      ops.store.set({ live: 'live', liveAt: Date.now() });
      setState(before => ({ data: joined(before.data ?? [], data), status: 'ready' }));
    };
    // A quiet gateway sends nothing on the stream for up to 15 seconds. The stream says why a reading is refused.
    readLast().catch(() => undefined);
    const stop = followLiveView<LogLine>(`/ops/logs/stream?${query}`, {
      onData: line => news.current.push(line),
      onAlive: () => {
        ops.store.set({ live: 'live', liveAt: Date.now() });
        if (isRead) return;
        isRead = true;
        readLast().catch(() => {
          isRead = false;
        });
      },
      onLost: () => {
        isRead = false;
        ops.store.set({ live: 'stale' });
        setState(before => (before.data === undefined ? { ...before, status: 'failed' } : before));
      },
      onRefused: error => {
        ops.store.set({ live: 'still' });
        setState(before => ({ ...before, status: 'failed', refusal: refusalOf(error) }));
      },
    });
    const timer = setInterval(() => {
      const lines = news.current.splice(0);
      if (lines.length > 0) setState(before => ({ ...before, data: joined(before.data ?? [], lines) }));
    }, FLUSH_MS);
    return () => {
      isOver = true;
      stop();
      clearInterval(timer);
      ops.store.set({ live: 'still', liveAt: undefined });
    };
  }, [query, attempt, ops]);
  return { ...state, reload: () => setAttempt(count => count + 1) };
}

/** Joins two lists of lines in the order of their times, each line once. A gateway that has started again counts from 1. */
function joined(older: readonly LogLine[], newer: readonly LogLine[]): readonly LogLine[] {
  const known = new Set(older.map(keyOfLine));
  const news = newer.filter(line => !known.has(keyOfLine(line)));
  return [...older, ...news].sort((a, b) => (a.time === b.time ? a.n - b.n : a.time < b.time ? -1 : 1)).slice(-MAX_LINES);
}
