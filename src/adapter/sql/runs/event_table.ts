/**
 * The event log. Adjacent deltas of the same type and tool call become one row, a stretch: the shared fields once, and for each delta its text and its
 * milliseconds after the first.
 */
import { type Kysely, sql } from 'kysely';
import { AppError } from '../../../errors';
import { type DeltaBody, isDelta, type RunEvent, type RunEventBody } from '../../../port/run_event';
import type { EventPage, WrittenRun } from '../../../port/store/events';
import { FencedError } from '../../../port/store/store_errors';
import { insertRows, template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';

/** One event (first_seq = last_seq), or several deltas. */
interface RunEventRow {
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
const MAX_STRETCH_EVENTS = 1_000;
const MAX_STRETCH_BYTES = 256 * 1024;

const COLUMNS = ['tenant_id', 'run_id', 'session_id', 'first_seq', 'last_seq', 'type', 'ts', 'data'] as const;
const READ_COLUMNS = ['session_id', 'first_seq', 'last_seq', 'type', 'ts', 'data'] as const;

interface Advance {
  tenant_id: string;
  id: string;
  session_id: string;
  epoch: number;
  /** lastSeq before and after the append. */
  from: number;
  to: number;
}

/** Events with after < seq <= through. Their rows end before `until`, so a scan by last_seq stops there. */
interface Range {
  tenant_id: string;
  run_id: string;
  after: number;
  through: number;
  until: number;
}

export class EventTable extends sqlTable(statements) {
  async append(run: WrittenRun, events: readonly RunEvent[]): Promise<void> {
    const first = events[0];
    if (!first) return;
    assertInOrder(run, events, first.seq);
    const { tenantId, id, sessionId, epoch } = run;
    const advance = { tenant_id: tenantId, id, session_id: sessionId, epoch, from: first.seq - 1, to: first.seq + events.length - 1 };
    // The update of the run is a compare-and-set, the fence: for a writer that lost the run it changes no row.
    if ((await this.runner.changes(this.statements.advance(advance))) === 0) throw await this.refusal(advance);
    await this.statements.insert(this.runner, packEvents(tenantId, events));
  }

  /** Inserts the first events of a run that the same transaction inserted, so that there is no other writer. */
  async insertFirst(run: WrittenRun & { lastSeq: number }, events: readonly RunEvent[]): Promise<void> {
    if (events.length === 0) return;
    assertInOrder(run, events, run.lastSeq - events.length + 1);
    await this.statements.insert(this.runner, packEvents(run.tenantId, events));
  }

  async list(tenantId: string, runId: string, after: number, page: number | EventPage): Promise<RunEvent[]> {
    const { limit, maxBytes } = typeof page === 'number' ? { limit: page } : page;
    // Sequence numbers have no gaps, so the range is known before the read.
    const through = after + limit;
    let range = { tenant_id: tenantId, run_id: runId, after, through, until: through + MAX_STRETCH_EVENTS };
    if (maxBytes !== undefined) range = cutAt(range, maxBytes, await this.runner.rows(this.statements.sizes(range)));
    const rows = await this.runner.rows(this.statements.list(range));
    return rows.flatMap(row => unpackEvents(runId, row, after, range.through));
  }

  private async refusal(advance: Advance): Promise<AppError> {
    // Other statements of a writer that lost its run may have failed, and nothing can be read then.
    const [run] = await this.runner.rows(this.statements.state(advance)).catch(() => []);
    if (!run || run.epoch !== advance.epoch) return new FencedError();
    return new AppError('internal', {
      message: `Event ${advance.from + 1} does not follow event ${run.last_seq}, the last of the run.`,
      messageZh: `事件 ${advance.from + 1} 没有接在运行的最后一个事件 ${run.last_seq} 之后。`,
    });
  }
}

/** Cuts the range after `maxBytes`; always keeps its first row. */
function cutAt(range: Range, maxBytes: number, rows: readonly { last_seq: number; bytes: number }[]): Range {
  let sum = 0;
  let through = 0;
  for (const { last_seq: last, bytes } of rows) {
    sum += bytes;
    if (sum > maxBytes && through > 0) return { ...range, through: Math.min(range.through, through), until: through + 1 };
    through = last;
  }
  return range;
}

function assertInOrder(run: WrittenRun, events: readonly RunEvent[], firstSeq: number): void {
  events.forEach((event, i) => {
    if (event.runId !== run.id || event.sessionId !== run.sessionId) {
      throw new AppError('internal', {
        message: `An event of run ${event.runId} was appended to the log of run ${run.id}.`,
        messageZh: `运行 ${event.runId} 的事件被写入了运行 ${run.id} 的日志。`,
      });
    }
    if (event.seq !== firstSeq + i) {
      throw new AppError('internal', {
        message: `The log of run ${run.id} has a gap: expected seq ${firstSeq + i}, got ${event.seq}.`,
        messageZh: `运行 ${run.id} 的日志有缺口：应为 seq ${firstSeq + i}，收到 ${event.seq}。`,
      });
    }
  });
}

function statements(db: Kysely<Schema>) {
  const inRange = (range: Range) =>
    db
      .selectFrom('run_events')
      .where('tenant_id', '=', range.tenant_id)
      .where('run_id', '=', range.run_id)
      .where('last_seq', '>', range.after)
      .where('first_seq', '<=', range.through)
      .where('last_seq', '<', range.until)
      .orderBy('last_seq');
  return {
    advance: template((advance: Advance) =>
      db
        .updateTable('runs')
        .set({ last_seq: advance.to })
        .where('tenant_id', '=', advance.tenant_id)
        .where('id', '=', advance.id)
        .where('session_id', '=', advance.session_id)
        .where('epoch', '=', advance.epoch)
        .where('last_seq', '=', advance.from),
    ),
    state: template((run: Pick<Advance, 'tenant_id' | 'id' | 'session_id'>) =>
      db
        .selectFrom('runs')
        .select(['epoch', 'last_seq'])
        .where('tenant_id', '=', run.tenant_id)
        .where('id', '=', run.id)
        .where('session_id', '=', run.session_id),
    ),
    insert: insertRows<RunEventRow>(COLUMNS, rows => db.insertInto('run_events').values(rows)),
    list: template((range: Range) => inRange(range).select(READ_COLUMNS)),
    sizes: template((range: Range) => inRange(range).select(['last_seq', sql<number>`octet_length(data)`.as('bytes')])),
  };
}

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

type EventData = Pick<RunEventRow, 'session_id' | 'first_seq' | 'last_seq' | 'type' | 'ts' | 'data'>;

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
