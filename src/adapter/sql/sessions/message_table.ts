/** Queries about messages. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { ChatMessage } from '../../../port/llm';
import type { MessageOrder, MessagePlace, MessageRecord, MessageSize } from '../../../port/store/messages';
import type { Page, PageRequest } from '../../../port/store/page';
import { encodeCursor, type ListOrder, readPage } from '../base/cursor';
import { defineTable, type RowOf } from '../base/define_table';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { insertInto, selectBy } from '../base/table_statements';
import type { RetentionTable } from '../retention/retention_table';
import { messageChangeStatements } from './message_changes';

const MESSAGES = defineTable<MessageRecord>()('messages', {
  tenant_id: 'text',
  id: 'text',
  session_id: 'text',
  run_id: 'text',
  run_ordinal: 'number',
  position: 'number',
  message: 'json',
  created_at: 'number',
});

/** The columns of a history. Tenant and session are left out: the caller knows them, and a long history has many rows. */
const HISTORY = MESSAGES.without('tenant_id', 'session_id');

declare module '../base/schema' {
  interface Schema {
    messages: RowOf<typeof MESSAGES>;
  }
}

type SessionKey = Pick<RowOf<typeof MESSAGES>, 'tenant_id' | 'session_id'>;

const OLDEST_FIRST: ListOrder = { list: 'messages', columns: ['run_ordinal', 'position'], second: 'number', direction: 'asc' };
const NEWEST_FIRST: ListOrder = { ...OLDEST_FIRST, list: 'newest_messages', direction: 'desc' };

const START: MessagePlace = { runOrdinal: 0, position: 0 };

export class MessageTable extends sqlTable(statements) {
  private readonly changes = messageChangeStatements(this.db);

  constructor(
    db: Kysely<Schema>,
    private readonly retention: () => RetentionTable,
  ) {
    super(db);
  }

  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), MESSAGES.toRecord);
  }

  history(tenantId: string, sessionId: string, from: MessagePlace = START) {
    const range = { tenant_id: tenantId, session_id: sessionId, from: from.runOrdinal, position: from.position };
    return this.records(this.statements.history(range), inSession(tenantId, sessionId));
  }

  beginningOf(tenantId: string, sessionId: string, runId: string) {
    const key = { tenant_id: tenantId, session_id: sessionId, run_id: runId };
    return this.record(this.statements.beginningOf(key), inSession(tenantId, sessionId));
  }

  ofRun(tenantId: string, sessionId: string, runOrdinal: number) {
    const key = { tenant_id: tenantId, session_id: sessionId, run_ordinal: runOrdinal };
    return this.records(this.statements.ofRun(key), inSession(tenantId, sessionId));
  }

  async sizes(tenantId: string, sessionId: string, lastOrdinal: number, limit: number): Promise<MessageSize[]> {
    const rows = await this.runner.rows(this.statements.sizes({ tenant_id: tenantId, session_id: sessionId, last: lastOrdinal, limit }));
    return rows.map(row => ({
      runOrdinal: row.run_ordinal,
      position: row.position,
      bytes: row.bytes,
      isSummarised: row.is_summarised ? (true as const) : undefined,
    }));
  }

  async list(
    tenantId: string,
    sessionId: string,
    { after, ...page }: PageRequest & { after?: MessagePlace },
    sort: MessageOrder = 'asc',
  ): Promise<Page<MessageRecord>> {
    const order = sort === 'asc' ? OLDEST_FIRST : NEWEST_FIRST;
    const start = after && encodeCursor(order, { run_ordinal: after.runOrdinal, position: after.position });
    const query = this.db
      .selectFrom('messages')
      .select(HISTORY.columns)
      .where('tenant_id', '=', tenantId)
      .where('session_id', '=', sessionId);
    return readPage(this.runner, query, { order, long: ['message'], toRecord: inSession(tenantId, sessionId) }, { cursor: start, ...page });
  }

  async insert(messages: readonly MessageRecord[]): Promise<void> {
    await this.statements.insert(this.runner, messages);
  }

  async change(tenantId: string, id: string, message: ChatMessage | undefined): Promise<boolean> {
    const key = { tenant_id: tenantId, id };
    const changed = message ? this.changes.replace({ ...key, message: JSON.stringify(message) }) : this.changes.remove(key);
    const [place] = await this.runner.rows(changed);
    if (!place) return false;
    const at = { ...key, ...place };
    await this.execute(this.changes.raiseVersion(at));
    await this.execute(this.changes.removeSummary(at));
    await this.execute(this.changes.removeSearchDocument(at));
    if (message) await this.execute(this.changes.queueForSearch(at));
    await this.retention().on(this.runner).notePurge();
    return true;
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, MESSAGES, 'tenant_id', 'id'),
    sizes: template((key: SessionKey & { last: number; limit: number }) =>
      db
        .selectFrom('messages')
        .select(eb => [
          'run_ordinal',
          'position',
          sql<number>`octet_length(message)`.as('bytes'),
          // SQLite looks the summary up once for all rows; the column is null when the session has none.
          sql<number | null>`(run_ordinal, position) <= ${eb
            .selectFrom('session_summaries')
            .select(['session_summaries.run_ordinal', 'session_summaries.position'])
            .where('session_summaries.tenant_id', '=', key.tenant_id)
            .where('session_summaries.session_id', '=', key.session_id)}`.as('is_summarised'),
        ])
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where('run_ordinal', '<=', key.last)
        .orderBy('run_ordinal', 'desc')
        .orderBy('position', 'desc')
        .limit(key.limit),
    ),
    history: template((key: SessionKey & { from: number; position: number }) =>
      db
        .selectFrom('messages')
        .select(HISTORY.columns)
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where(sql<SqlBool>`(run_ordinal, position) >= (${key.from}, ${key.position})`)
        .where('run_id', 'not in', neverStarted(db, key).where('ordinal', '>=', key.from))
        .orderBy('run_ordinal')
        .orderBy('position'),
    ),
    beginningOf: template((key: SessionKey & { run_id: string }) =>
      db
        .selectFrom('messages')
        .select(HISTORY.columns)
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where('run_id', '=', key.run_id)
        .orderBy('run_ordinal')
        .orderBy('position')
        .limit(1),
    ),
    ofRun: template((key: SessionKey & { run_ordinal: number }) =>
      db
        .selectFrom('messages')
        .select(HISTORY.columns)
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where('run_ordinal', '=', key.run_ordinal)
        .orderBy('position'),
    ),
    insert: insertInto(db, MESSAGES),
  };
}

/**
 * The runs of a session that were cancelled before they started, whose messages are not in its history. Use it as a list, which SQLite reads once, by an
 * index; `exists` would look up the run of each message.
 */
export const neverStarted = (db: Kysely<Schema>, key: SessionKey) =>
  db
    .selectFrom('runs')
    .select('id')
    .where('tenant_id', '=', key.tenant_id)
    .where('session_id', '=', key.session_id)
    .where('status', '=', 'cancelled')
    .where('started_at', 'is', null);

/** Returns the function that completes a message of the session. */
const inSession =
  (tenantId: string, sessionId: string) =>
  (row: RowOf<typeof HISTORY>): MessageRecord => ({ tenantId, sessionId, ...HISTORY.toRecord(row) });
