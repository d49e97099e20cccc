import type { RunEvent, RunEventBody } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';

let lastTime = { now: 0, text: new Date(0).toISOString() };

/** Adds number, time and ids to the body of an event. `now` is in milliseconds since 1970. */
export function numberEvent(run: Pick<RunRecord, 'id' | 'sessionId'>, seq: number, now: number, body: RunEventBody): RunEvent {
  // The compiler cannot follow which data belongs to which type. A spread would cost more than the rest.
  return { v: 1, sessionId: run.sessionId, runId: run.id, seq, ts: timeText(now), type: body.type, data: body.data } as RunEvent;
}

/** Events of the same moment share their text. */
function timeText(now: number): string {
  if (now !== lastTime.now) lastTime = { now, text: new Date(now).toISOString() };
  return lastTime.text;
}
