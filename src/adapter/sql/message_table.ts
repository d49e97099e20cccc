/** Queries about messages. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { ChatMessage } from '../../port/llm';
import type { MessageOrder, MessagePlace, MessageRecord, MessageSize } from '../../port/store/messages';
import type { Page, PageRequest } from '../../port/store/page';
import { fromJson } from './column_values';
import { type ListOrder, readPage } from './cursor';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { MessageRow, Schema } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['tenant_id', 'id', 'session_id', 'run_id', 'run_ordinal', 'position', 'message', 'created_at'] as const;

/** The columns of a history. Tenant and session are left out: the caller knows them, and a long history has many rows. */
const HISTORY_COLUMNS = ['id', 'run_id', 'run_ordinal', 'position', 'message', 'created_at'] as const;

const OLDEST_FIRST: ListOrder = { list: 'messages', columns: ['run_ordinal', 'position'], second: 'number', direction: 'asc' };
const NEWEST_FIRST: ListOrder = { ...OLDEST_FIRST, list: 'newest_messages', direction: 'desc' };

const START: MessagePlace = { runOrdinal: 0, position: 0 };

type SessionKey = Pick<MessageRow, 'tenant_id' | 'session_id'>;
type HistoryRow = Pick<MessageRow, (typeof HISTORY_COLUMNS)[number]>;

export class MessageTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(private readonly db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async history(tenantId: string, sessionId: string, from: MessagePlace = START): Promise<MessageRecord[]> {
    const range = { tenant_id: tenantId, session_id: sessionId, from: from.runOrdinal, position: from.position };
    const rows = await this.runner.rows(this.statements.history(range));
    return rows.map(row => toRecord(tenantId, sessionId, row));
  }

  async ofRun(tenantId: string, sessionId: string, runOrdinal: number): Promise<MessageRecord[]> {
    const key = { tenant_id: tenantId, session_id: sessionId, run_ordinal: runOrdinal };
    const rows = await this.runner.rows(this.statements.ofRun(key));
    return rows.map(row => toRecord(tenantId, sessionId, row));
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

  async list(tenantId: string, sessionId: string, page: PageRequest, sort: MessageOrder = 'asc'): Promise<Page<MessageRecord>> {
    const order = sort === 'asc' ? OLDEST_FIRST : NEWEST_FIRST;
    const query = this.db
      .selectFrom('messages')
      .select(HISTORY_COLUMNS)
      .where('tenant_id', '=', tenantId)
      .where('session_id', '=', sessionId);
    const toMessage = (row: HistoryRow) => toRecord(tenantId, sessionId, row);
    return readPage(this.runner, query, { order, long: ['message'], toRecord: toMessage }, page);
  }

  async insert(messages: readonly MessageRecord[]): Promise<void> {
    await this.statements.insert(this.runner, messages.map(toRow));
  }
}

function statements(db: Kysely<Schema>) {
  return {
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
        .select(HISTORY_COLUMNS)
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where(sql<SqlBool>`(run_ordinal, position) >= (${key.from}, ${key.position})`)
        // A list that SQLite reads once, by an index; `exists` would look up the run of each message.
        .where('run_id', 'not in', eb =>
          eb
            .selectFrom('runs')
            .select('id')
            .where('tenant_id', '=', key.tenant_id)
            .where('session_id', '=', key.session_id)
            .where('status', '=', 'cancelled')
            .where('ordinal', '>=', key.from)
            .where('started_at', 'is', null),
        )
        .orderBy('run_ordinal')
        .orderBy('position'),
    ),
    ofRun: template((key: SessionKey & Pick<MessageRow, 'run_ordinal'>) =>
      db
        .selectFrom('messages')
        .select(HISTORY_COLUMNS)
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where('run_ordinal', '=', key.run_ordinal)
        .orderBy('position'),
    ),
    insert: insertRows<MessageRow>(COLUMNS, rows => db.insertInto('messages').values(rows)),
  };
}

function toRow(record: MessageRecord): MessageRow {
  return {
    tenant_id: record.tenantId,
    id: record.id,
    session_id: record.sessionId,
    run_id: record.runId,
    run_ordinal: record.runOrdinal,
    position: record.position,
    message: JSON.stringify(record.message),
    created_at: record.createdAt,
  };
}

function toRecord(tenantId: string, sessionId: string, row: HistoryRow): MessageRecord {
  return {
    tenantId,
    id: row.id,
    sessionId,
    runId: row.run_id,
    runOrdinal: row.run_ordinal,
    position: row.position,
    message: fromJson<ChatMessage>(row.message),
    createdAt: row.created_at,
  };
}
