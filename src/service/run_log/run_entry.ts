/** An entry waits in the writer of a run until it is published and stored. Deltas that are published together are merged. */
import type { ChatMessage } from '../../port/llm';
import type { DeltaBody, RunEvent, RunEventBody } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { StoreTransaction } from '../../port/store/store';

/** Makes more writes in the transaction that stores an event. Called again when the transaction is retried. */
export type AlsoWrite = (tx: StoreTransaction) => Promise<void>;

/** A write beside an event. `onError` is called when the event could only be stored without this write. */
export interface ExtraWrite {
  write: AlsoWrite;
  onError: (thrown: unknown) => void;
}

/**
 * An entry in the queue of a writer. `barrier`: settles when the entry is stored; nothing behind the entry is published before. An entry without a
 * body is only waited for.
 */
export interface Entry {
  body?: RunEventBody;
  message?: ChatMessage;
  also?: AlsoWrite;
  /** True when the writer merged several deltas into `body`; the writer then owns the data and may change it. */
  isMerged?: boolean;
  /** The write that stores this entry stores the deltas before it, too. */
  storesDeltas?: boolean;
  barrier?: { resolve: () => void; reject: (error: unknown) => void };
}

/** `at`: milliseconds since 1970. */
export interface NumberedEntry extends Pick<Entry, 'message' | 'also'> {
  event: RunEvent;
  at: number;
}

/** Adds the text of `more` to the entry when its event belongs to the same stream of text or output. Returns false otherwise. */
export function mergeDelta(entry: Entry, more: DeltaBody): boolean {
  const last = entry.body;
  if (last?.type === 'tool_call_delta' && more.type === 'tool_call_delta' && last.data.toolCallId === more.data.toolCallId) {
    ownData(entry, last).output += more.data.output;
    return true;
  }
  if ((last?.type === 'text_delta' || last?.type === 'reasoning_delta') && last.type === more.type) {
    ownData(entry, last).text += more.data.text;
    return true;
  }
  return false;
}

/** The first delta of an entry belongs to its caller, so it is copied before it changes. Most deltas are never merged and need no copy. */
function ownData<B extends DeltaBody>(entry: Entry, body: B): B['data'] {
  if (entry.isMerged) return body.data;
  const data = { ...body.data };
  entry.body = { type: body.type, data } as B;
  entry.isMerged = true;
  return data;
}

let lastTime = { now: 0, text: new Date(0).toISOString() };

/** Adds number, time and ids to the body of an event. `now` is in milliseconds since 1970. */
export function numberEvent(run: Pick<RunRecord, 'id' | 'sessionId'>, seq: number, now: number, body: RunEventBody): RunEvent {
  // A cast, because the compiler cannot follow which data belongs to which type. A spread would cost more than all the rest.
  return { v: 1, sessionId: run.sessionId, runId: run.id, seq, ts: timeText(now), type: body.type, data: body.data } as RunEvent;
}

/**
 * Numbers the entries that have an event, from `lastSeq + 1` on. Leaves out `message` and `also` where they are undefined: many deltas wait in memory
 * and should be small.
 */
export function numberEntries(
  run: Pick<RunRecord, 'id' | 'sessionId'>,
  lastSeq: number,
  at: number,
  entries: readonly Entry[],
): NumberedEntry[] {
  const numbered: NumberedEntry[] = [];
  for (const { body, message, also } of entries) {
    if (!body) continue;
    const entry: NumberedEntry = { event: numberEvent(run, lastSeq + numbered.length + 1, at, body), at };
    if (message) entry.message = message;
    if (also) entry.also = also;
    numbered.push(entry);
  }
  return numbered;
}

/** Returns the timestamp as text; events of the same millisecond share one text. */
function timeText(now: number): string {
  if (now !== lastTime.now) lastTime = { now, text: new Date(now).toISOString() };
  return lastTime.text;
}
