/** Queries about the event log. */
import { type Kysely, sql } from 'kysely';
import { AppError } from '../../../errors';
import type { RunEvent } from '../../../port/run_event';
import type { EventPage, WrittenRun } from '../../../port/store/events';
import { FencedError } from '../../../port/store/store_errors';
import { insertRows, template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { MAX_STRETCH_EVENTS, packEvents, type RunEventRow, unpackEvents } from './event_rows';

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
    const [run] = await this.runner.rows(this.statements.state(advance));
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
