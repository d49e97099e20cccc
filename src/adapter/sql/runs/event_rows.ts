/**
 * Converts events between record and row. Adjacent deltas of the same type and tool call become one row, a stretch: the shared fields once, and
 * for each delta its text and its milliseconds after the first.
 */
import { type DeltaBody, isDelta, type RunEvent, type RunEventBody } from '../../../port/run_event';

/** One event (first_seq = last_seq), or several deltas. */
export interface RunEventRow {
  tenant_id: string;
  run_id: string;
  session_id: string;
  first_seq: number;
  last_seq: number;
  type: RunEvent['type'];
  /** Timestamp of the first event, exactly as emitted. */
  ts: string;
  data: string;
}

declare module '../base/schema' {
  interface Schema {
    run_events: RunEventRow;
  }
}

/** Limits of one stretch: deltas, and bytes of text. */
export const MAX_STRETCH_EVENTS = 1_000;
const MAX_STRETCH_BYTES = 256 * 1024;

const DATE_LENGTH = 'YYYY-MM-DD'.length;
const TIME_OF_DAY = /^T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

type DeltaEvent = RunEvent & DeltaBody;

/** `when`: milliseconds after the first event, or the timestamp itself when it is not in the usual form. */
type Piece = [when: number | string, text: string];

/** Events that share a row: deltas of one type and tool call, or one event of any type (then `deltas` has at most this one). */
interface Stretch {
  first: RunEvent;
  deltas: DeltaEvent[];
  /** Bytes of text in `deltas`. */
  bytes: number;
}

interface StretchData {
  shared?: { toolCallId: string; name: string };
  pieces: Piece[];
}

/** Converts events of one run with consecutive numbers to rows. */
export function packEvents(tenantId: string, events: readonly RunEvent[]): RunEventRow[] {
  const stretches: Stretch[] = [];
  let last: Stretch | undefined;
  for (const event of events) {
    const bytes = isDelta(event) ? Buffer.byteLength(textOf(event)) : 0;
    if (last && isDelta(event) && fits(last, event, bytes)) {
      last.deltas.push(event);
      last.bytes += bytes;
    } else {
      last = { first: event, deltas: isDelta(event) ? [event] : [], bytes };
      stretches.push(last);
    }
  }
  return stretches.map(stretch => (stretch.deltas.length > 1 ? packStretch(tenantId, stretch) : packOne(tenantId, stretch.first)));
}

/** Returns the events of the row with `after` < seq <= `through`. */
export function unpackEvents(runId: string, row: EventData, after: number, through: number): RunEvent[] {
  const { first_seq: firstSeq, last_seq: lastSeq, session_id: sessionId, ts } = row;
  if (firstSeq === lastSeq) return [toEvent({ sessionId, runId, seq: firstSeq, ts }, { type: row.type, data: JSON.parse(row.data) })];
  const { shared, pieces } = JSON.parse(row.data) as StretchData;
  const start = Date.parse(ts);
  const events: RunEvent[] = [];
  let seq = Math.max(firstSeq, after + 1);
  for (const [when, text] of pieces.slice(seq - firstSeq, Math.max(0, through + 1 - firstSeq))) {
    const data = shared ? { ...shared, output: text } : { text };
    events.push(toEvent({ sessionId, runId, seq, ts: toTime(when, start, ts) }, { type: row.type, data }));
    seq += 1;
  }
  return events;
}

export type EventData = Pick<RunEventRow, 'session_id' | 'first_seq' | 'last_seq' | 'type' | 'ts' | 'data'>;

/** Returns true when the delta may share the row of the stretch. */
function fits({ first, deltas, bytes }: Stretch, next: DeltaEvent, nextBytes: number): boolean {
  if (deltas.length >= MAX_STRETCH_EVENTS || !isDelta(first) || !isSameThing(first, next)) return false;
  return bytes + nextBytes <= MAX_STRETCH_BYTES;
}

function isSameThing(one: DeltaBody, other: DeltaBody): boolean {
  if (one.type !== 'tool_call_delta' || other.type !== 'tool_call_delta') return one.type === other.type;
  return one.data.toolCallId === other.data.toolCallId && one.data.name === other.data.name;
}

function packOne(tenantId: string, event: RunEvent): RunEventRow {
  return {
    tenant_id: tenantId,
    run_id: event.runId,
    session_id: event.sessionId,
    first_seq: event.seq,
    last_seq: event.seq,
    type: event.type,
    ts: event.ts,
    data: JSON.stringify(event.data),
  };
}

function packStretch(tenantId: string, { first, deltas }: Stretch): RunEventRow {
  const start = Date.parse(first.ts);
  const day = Number.isFinite(start) ? new Date(start).toISOString().slice(0, DATE_LENGTH) : undefined;
  const data: StretchData = {
    shared: first.type === 'tool_call_delta' ? { toolCallId: first.data.toolCallId, name: first.data.name } : undefined,
    pieces: deltas.map(event => [toOffset(event.ts, { start, startTs: first.ts, day }), textOf(event)]),
  };
  return { ...packOne(tenantId, first), last_seq: first.seq + deltas.length - 1, data: JSON.stringify(data) };
}

const textOf = (delta: DeltaBody): string => (delta.type === 'tool_call_delta' ? delta.data.output : delta.data.text);

/** `day`: the date of the first event as text. Only offsets that `toTime` turns back into the very timestamp are used. */
function toOffset(ts: string, { start, startTs, day }: { start: number; startTs: string; day: string | undefined }): number | string {
  if (ts === startTs) return 0;
  const offset = Date.parse(ts) - start;
  // The usual case needs no second conversion: a valid time of a valid day. Offset 0 means the very text of the first timestamp.
  if (offset !== 0 && day !== undefined && ts.startsWith(day) && TIME_OF_DAY.test(ts.slice(DATE_LENGTH))) return offset;
  return Number.isFinite(offset) && toTime(offset, start, startTs) === ts ? offset : ts;
}

function toTime(when: number | string, start: number, startTs: string): string {
  if (typeof when === 'string') return when;
  return when === 0 ? startTs : new Date(start + when).toISOString();
}

function toEvent(place: { sessionId: string; runId: string; seq: number; ts: string }, body: { type: string; data: unknown }): RunEvent {
  // packEvents stored an event, so type and data belong together.
  return { v: 1, ...place, ...(body as RunEventBody) };
}
