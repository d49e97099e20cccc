/** Reads the stored turns of a session from its end, one page of messages at a time. */
import type { RestClient } from '../api/rest_client';
import type { HistoryMessage, RunSummary } from '../api/rest_types';
import { buildHistory } from '../state/history';
import type { Turn } from '../state/view_types';

export interface StoredTurns {
  /** Resolves with the turns before the turns that were read, oldest first; the first call, with the latest turns. */
  readEarlier(): Promise<Turn[]>;
  /** True when there are earlier turns, and before the first call. */
  hasEarlier(): boolean;
}

interface Reader<T> {
  readPage(): Promise<T[]>;
  isAtEnd(): boolean;
}

export function createStoredTurns(rest: RestClient, sessionId: string): StoredTurns {
  const messages = createReader(cursor => rest.listMessages(sessionId, { cursor }));
  const runs = createReader(cursor => rest.listRuns(sessionId, cursor));
  const runById = new Map<string, RunSummary>();
  /** Messages that were read and not returned, oldest first: of a run that began on an earlier page, or of a request that failed. */
  let unshown: HistoryMessage[] = [];

  /** Reads on until a run is complete; resolves with the position of its first message in `unshown`. */
  const readMessages = async () => {
    for (;;) {
      if (!messages.isAtEnd()) unshown = [...(await messages.readPage()).toReversed(), ...unshown];
      if (messages.isAtEnd()) return 0;
      const whole = unshown.findIndex(({ runId }) => runId !== unshown[0]?.runId);
      if (whole !== -1) return whole;
    }
  };
  const readRuns = async () => {
    const summaries = runs.isAtEnd() ? [] : await runs.readPage();
    for (const run of summaries) runById.set(run.runId, run);
    return summaries;
  };
  return {
    hasEarlier: () => !messages.isAtEnd() || unshown.length > 0,
    async readEarlier() {
      const isFirst = runById.size === 0;
      const reads = [readMessages(), readRuns()] as const;
      // When one of the two requests fails, waits for the other, so that a repeated call does not read the same page at the same time.
      await Promise.allSettled(reads);
      const [whole, summaries] = await Promise.all(reads);
      const read = unshown.slice(whole);
      const shown = new Set(read.map(({ runId }) => runId));
      while (!runs.isAtEnd() && [...shown].some(id => !runById.has(id))) await readRuns();
      unshown = unshown.slice(0, whole);
      // A run that began between the two reads has no message here yet; it is newer than the others.
      const newest = summaries.findIndex(({ runId }) => shown.has(runId));
      const begun = isFirst ? summaries.slice(0, newest === -1 ? undefined : newest) : [];
      return buildHistory(read, [...[...shown].flatMap(id => runById.get(id) ?? []), ...begun.toReversed()]);
    },
  };
}

function createReader<T>(list: (cursor?: string) => Promise<{ data: T[]; nextCursor?: string }>): Reader<T> {
  let cursor: string | undefined;
  let isAtEnd = false;
  return {
    isAtEnd: () => isAtEnd,
    async readPage() {
      const page = await list(cursor);
      cursor = page.nextCursor;
      isAtEnd = cursor === undefined;
      return page.data;
    },
  };
}
