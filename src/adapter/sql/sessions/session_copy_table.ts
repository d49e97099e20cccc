/** Copies sessions in parts. The database copies the rows itself: no message goes through the process. */
import { type Kysely, sql } from 'kysely';
import type { MessagePlace } from '../../../port/store/messages';
import type { CopyPart, CopyProgress, SessionCopyStart } from '../../../port/store/session_copies';
import { defineTable, type RowOf } from '../base/define_table';
import { pick, template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { deleteBy, insertInto, selectBy } from '../base/table_statements';
import { type CopiedMessage, imageStatement, messageStatements, type SourceKey } from './session_copy_rows';
import type { SummaryTable } from './summary_table';
import type { TodoTable } from './todo_table';

interface SessionCopy extends MessagePlace {
  tenantId: string;
  sessionId: string;
  sourceId: string;
  lastOrdinal: number;
  lastPosition: number;
  total: number;
  copied: number;
  touchedAt: number;
}

const COPIES = defineTable<SessionCopy>()('session_copies', {
  tenant_id: 'text',
  session_id: 'text',
  source_id: 'text',
  last_ordinal: 'number',
  last_position: 'number',
  total: 'number',
  run_ordinal: 'number',
  position: 'number',
  copied: 'number',
  touched_at: 'number',
});

declare module '../base/schema' {
  interface Schema {
    session_copies: RowOf<typeof COPIES>;
  }
}

type Key = Pick<RowOf<typeof COPIES>, 'tenant_id' | 'session_id'>;
type Progress = Key & Pick<RowOf<typeof COPIES>, 'run_ordinal' | 'position' | 'copied' | 'touched_at'>;

/** Before the first message of every session. */
const BEGINNING: MessagePlace = { runOrdinal: -1, position: -1 };
/** The highest number of an integer column. */
const MOST = 2 ** 31 - 1;
const GIVEN_UP = 0;
/** The source of the row of a session that is being deleted. */
const NO_SOURCE = '';
/** Bytes of the messages of one part. The first message always fits. */
const BYTES_OF_PART = 1024 * 1024;
/** An image has up to 5 MiB, so it counts as many messages. */
const MESSAGES_PER_IMAGE = 100;

/** Tables that a copy reads and writes too. */
interface OtherTables {
  summaries(): SummaryTable;
  todos(): TodoTable;
}

/** The sessions of a tenant that are being copied, as a subquery. */
export const copiesOf = (db: Kysely<Schema>, tenantId: string) =>
  db
    .selectFrom('session_copies')
    .select('session_copies.session_id')
    .where('session_copies.tenant_id', '=', tenantId)
    .where('session_copies.source_id', '<>', NO_SOURCE);

export class SessionCopyTable extends sqlTable(statements) {
  constructor(
    db: Kysely<Schema>,
    private readonly others: OtherTables,
  ) {
    super(db);
  }

  async abandoned(before: number, limit: number) {
    const rows = await this.runner.rows(this.statements.abandoned({ before, limit }));
    return rows.map(({ tenant_id, session_id }) => ({ tenantId: tenant_id, id: session_id }));
  }

  async begin(start: SessionCopyStart): Promise<boolean> {
    const { tenantId, sessionId, sourceId, through = MOST, before, now } = start;
    const source = { tenant_id: tenantId, source_id: sourceId };
    const [bound] = await this.runner.rows(this.statements.bound(source));
    const newest = Math.max(Number(bound?.newest ?? 0), Number(bound?.newest_message ?? 0));
    const complete = bound?.unfinished == null ? newest : Number(bound.unfinished) - 1;
    if (before && before.runOrdinal > complete + 1) return false;
    const touchedAt = (await this.isBeingDeleted(tenantId, sourceId)) ? GIVEN_UP : now;
    const last = lastPlace(Math.min(through, complete), before);
    const total = await this.countMessages(source, last);
    const copy = {
      tenantId,
      sessionId,
      sourceId,
      lastOrdinal: last.runOrdinal,
      lastPosition: last.position,
      total,
      ...BEGINNING,
      copied: 0,
      touchedAt,
    };
    await this.statements.insert(this.runner, [copy]);
    await this.copySummary(copy);
    await this.copyPlan(start);
    return true;
  }

  private async copyPlan({ tenantId, sessionId, sourceId, before, now }: SessionCopyStart): Promise<void> {
    const todos = this.others.todos().on(this.runner);
    const plan = await todos.get(tenantId, sourceId);
    if (plan && plan.updatedAt <= (before?.createdAt ?? Number.POSITIVE_INFINITY)) await todos.put({ ...plan, sessionId, updatedAt: now });
  }

  private async isBeingDeleted(tenantId: string, sessionId: string): Promise<boolean> {
    const row = await this.record(this.statements.get({ tenant_id: tenantId, session_id: sessionId }), COPIES.toRecord);
    return row?.sourceId === NO_SOURCE;
  }

  /** Gives up copies of a session that is about to lose rows, also those that begin before the session is gone. Waits for parts that are being copied. */
  async giveUpCopiesOf(tenantId: string, sourceId: string): Promise<void> {
    const source = { tenant_id: tenantId, source_id: sourceId };
    await this.execute(this.statements.noteDeletion(source));
    await this.execute(this.statements.giveUpCopies(source));
  }

  /** A summary of later messages covers messages that are not copied, so such a summary is left out. */
  private async copySummary({ tenantId, sessionId, sourceId, lastOrdinal, lastPosition }: SessionCopy): Promise<void> {
    const summaries = this.others.summaries().on(this.runner);
    const summary = await summaries.get(tenantId, sourceId);
    if (!summary || isAfter(summary, { runOrdinal: lastOrdinal, position: lastPosition })) return;
    const position = (await this.countMessages({ tenant_id: tenantId, source_id: sourceId }, summary)) - 1;
    if (position >= 0) await summaries.put({ ...summary, sessionId, runOrdinal: 0, position });
  }

  private countMessages(source: SourceKey, { runOrdinal, position }: MessagePlace): Promise<number> {
    return this.readCount(this.statements.count({ ...source, run_ordinal: runOrdinal, position }));
  }

  async copyPart(tenantId: string, sessionId: string, part: CopyPart): Promise<CopyProgress> {
    const key = { tenant_id: tenantId, session_id: sessionId };
    // Holds the row, so that a deletion of the source waits until this part is stored.
    const copy = await this.record(this.statements.hold({ ...key, touched_at: part.now }), COPIES.toRecord);
    if (!copy) return (await this.record(this.statements.get(key), COPIES.toRecord)) ? 'source_lost' : 'complete';
    const { isMore, last, copied } = await this.copyMessages(copy, part);
    await this.execute(
      this.statements.progress({ ...key, run_ordinal: last.runOrdinal, position: last.position, copied, touched_at: part.now }),
    );
    if (isMore || (await this.copyImages(copy, part.size))) return 'more';
    if (copied !== copy.total) return 'source_lost';
    await this.execute(this.statements.end(key));
    return 'complete';
  }

  /** Copies the next messages. Resolves with the last of them, and with the number of all that were copied. */
  private async copyMessages(
    copy: SessionCopy,
    { size, nextId }: CopyPart,
  ): Promise<{ isMore: boolean; last: MessagePlace; copied: number }> {
    const { tenantId: tenant_id, sourceId: source_id, runOrdinal: run_ordinal, position, copied } = copy;
    const last_place = { last_ordinal: copy.lastOrdinal, last_position: copy.lastPosition };
    const next = await this.runner.rows(this.statements.next({ tenant_id, source_id, run_ordinal, position, ...last_place, limit: size }));
    const fitting = next.slice(0, countFitting(next));
    const last = fitting.at(-1);
    if (!last) return { isMore: false, last: copy, copied };
    const list = fitting.map(
      (row, i): CopiedMessage => ({
        run_ordinal: row.run_ordinal,
        position: row.position,
        id: nextId(),
        to_position: copied + i,
      }),
    );
    await this.execute(this.statements.copy({ tenant_id, source_id, session_id: copy.sessionId, list: JSON.stringify(list) }));
    return {
      isMore: next.length === size || fitting.length < next.length,
      last: { runOrdinal: last.run_ordinal, position: last.position },
      copied: copied + fitting.length,
    };
  }

  /** Resolves whether more images may be left. */
  private async copyImages({ tenantId, sessionId, sourceId }: SessionCopy, size: number): Promise<boolean> {
    const limit = Math.ceil(size / MESSAGES_PER_IMAGE);
    const key = { tenant_id: tenantId, source_id: sourceId, session_id: sessionId, limit };
    return (await this.runner.changes(this.statements.copyImages(key))) === limit;
  }

  giveUp(tenantId: string, sessionId: string, before: number): Promise<boolean> {
    return this.hasChanged(this.statements.giveUp({ tenant_id: tenantId, session_id: sessionId, before }));
  }
}

/** The last message that is copied, or the place where it would be. */
function lastPlace(lastOrdinal: number, before: MessagePlace | undefined): MessagePlace {
  if (!before || before.runOrdinal > lastOrdinal) return { runOrdinal: lastOrdinal, position: MOST };
  return { runOrdinal: before.runOrdinal, position: before.position - 1 };
}

const isAfter = (place: MessagePlace, other: MessagePlace): boolean =>
  place.runOrdinal > other.runOrdinal || (place.runOrdinal === other.runOrdinal && place.position > other.position);

/** Counts the first messages that fit into one part; at least one. */
function countFitting(messages: readonly { bytes: number }[]): number {
  let sum = 0;
  const tooMany = messages.findIndex(({ bytes }) => {
    sum += Number(bytes);
    return sum > BYTES_OF_PART;
  });
  return tooMany === -1 ? messages.length : Math.max(1, tooMany);
}

function statements(db: Kysely<Schema>) {
  return { ...progressStatements(db), ...messageStatements(db), copyImages: imageStatement(db) };
}

function progressStatements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, COPIES, 'tenant_id', 'session_id'),
    insert: insertInto(db, COPIES),
    end: deleteBy(db, COPIES, 'tenant_id', 'session_id'),
    hold: template(({ tenant_id, session_id, touched_at }: Pick<Progress, 'tenant_id' | 'session_id' | 'touched_at'>) =>
      db
        .updateTable('session_copies')
        .set({ touched_at })
        .where('tenant_id', '=', tenant_id)
        .where('session_id', '=', session_id)
        .where('touched_at', '<>', sql.lit(GIVEN_UP))
        .returning(COPIES.columns),
    ),
    progress: template((progress: Progress) =>
      db
        .updateTable('session_copies')
        .set(pick(progress, ['run_ordinal', 'position', 'copied', 'touched_at']))
        .where('tenant_id', '=', progress.tenant_id)
        .where('session_id', '=', progress.session_id),
    ),
    abandoned: template(({ before, limit }: { before: number; limit: number }) =>
      db
        .selectFrom('session_copies')
        .select(['tenant_id', 'session_id'])
        .where('touched_at', '<', before)
        .where('source_id', '<>', sql.lit(NO_SOURCE))
        .limit(limit),
    ),
    noteDeletion: template(({ tenant_id, source_id }: SourceKey) => ({
      compile: () =>
        sql`insert into session_copies (tenant_id, session_id, source_id, last_ordinal, total, run_ordinal, position, copied, touched_at)
          select tenant_id, id, ${sql.lit(NO_SOURCE)}, 0, 0, 0, 0, 0, ${sql.lit(GIVEN_UP)} from sessions
          where tenant_id = ${tenant_id} and id = ${source_id}
          on conflict do nothing`.compile(db),
    })),
    giveUpCopies: template(({ tenant_id, source_id }: SourceKey) =>
      db
        .updateTable('session_copies')
        .set({ touched_at: sql.lit(GIVEN_UP) })
        .where('tenant_id', '=', tenant_id)
        .where('source_id', '=', source_id)
        .where('touched_at', '<>', sql.lit(GIVEN_UP)),
    ),
    giveUp: template(({ tenant_id, session_id, before }: Key & { before: number }) =>
      db
        .updateTable('session_copies')
        .set({ touched_at: sql.lit(GIVEN_UP) })
        .where('tenant_id', '=', tenant_id)
        .where('session_id', '=', session_id)
        .where('touched_at', '<', before),
    ),
  };
}
