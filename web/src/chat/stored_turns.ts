/** Reads the stored turns of a session from its end, one page of messages at a time. */
import type { RestClient } from '../api/rest_client';
import type { HistoryMessage, RunSummary } from '../api/rest_types';
import { buildHistory } from '../state/history';
import type { Turn } from '../state/view_types';

export interface StoredTurns {
  /** Resolves with the turns before those that were read, oldest first; the first call, with the latest ones. */
  readEarlier(): Promise<Turn[]>;
  /** True when there are earlier turns, and before the first call. */
  hasEarlier(): boolean;
}

interface Reader<T> {
  readPage(): Promise<T[]>;
  isAtEnd(): boolean;
}

export function createStoredTurns(rest: RestClient, sessionId: string): StoredTurns {
  const messages = createReader(cursor => rest.listMessages(sessionId, cursor));
  const runs = createReader(cursor => rest.listRuns(sessionId, cursor));
  const runById = new Map<string, RunSummary>();
  /** Messages of the oldest run that was reached, oldest first; earlier ones of it may be on the next page. */
  let partial: HistoryMessage[] = [];

  const readMessages = async () => {
    let read = partial;
    let whole = 0;
    do {
      read = [...(await messages.readPage()).toReversed(), ...read];
      whole = messages.isAtEnd() ? 0 : read.findIndex(({ runId }) => runId !== read[0]?.runId);
    } while (whole === -1);
    partial = read.slice(0, whole);
    return read.slice(whole);
  };
  return {
    hasEarlier: () => !messages.isAtEnd(),
    async readEarlier() {
      const isFirst = runById.size === 0;
      const [read, summaries] = await Promise.all([readMessages(), runs.isAtEnd() ? [] : runs.readPage()]);
      for (const run of summaries) runById.set(run.runId, run);
      const shown = new Set(read.map(({ runId }) => runId));
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
