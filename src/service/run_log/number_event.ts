import type { RunEvent, RunEventBody } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { Entry, NumberedEntry } from './run_entry';

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
