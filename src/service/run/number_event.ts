import type { RunEvent, RunEventBody } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';

/** Adds number, time and ids to the body of an event. `now` is in milliseconds since 1970. */
export function numberEvent(run: Pick<RunRecord, 'id' | 'sessionId'>, seq: number, now: number, body: RunEventBody): RunEvent {
  return { v: 1, sessionId: run.sessionId, runId: run.id, seq, ts: new Date(now).toISOString(), ...body };
}
