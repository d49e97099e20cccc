/** Queries about messages. */
import type { Kysely } from 'kysely';
import type { ChatMessage } from '../../port/llm';
import type { MessageRecord } from '../../port/store/messages';
import type { Page, PageRequest } from '../../port/store/page';
import { fromJson } from './column_values';
import { type ListOrder, readPage } from './cursor';
import { insertRows } from './insert_rows';
import { type Runner, template } from './query_template';
import type { MessageRow, Schema } from './schema';

const COLUMNS = ['tenant_id', 'id', 'session_id', 'run_id', 'run_ordinal', 'position', 'message', 'created_at'] as const;

/** Leaves out tenant and session: the caller knows them, and a long history has many rows. */
const HISTORY_COLUMNS = ['id', 'run_id', 'run_ordinal', 'position', 'message', 'created_at'] as const;

const ORDER: ListOrder = { list: 'messages', columns: ['run_ordinal', 'position'], second: 'number', direction: 'asc' };

type SessionId = Pick<MessageRecord, 'tenantId' | 'sessionId'>;
type SessionKey = Pick<MessageRow, 'tenant_id' | 'session_id'>;
type HistoryRow = Pick<MessageRow, (typeof HISTORY_COLUMNS)[number]>;

export class MessageTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(private readonly db: Kysely<Schema>) {
    this.statements = statements(db);
  }

  async history(runner: Runner, { tenantId, sessionId }: SessionId, fromOrdinal: number): Promise<MessageRecord[]> {
    const rows = await runner.rows(this.statements.history({ tenant_id: tenantId, session_id: sessionId, from: fromOrdinal }));
    return rows.map(row => toRecord(tenantId, sessionId, row));
  }

  async list(runner: Runner, key: SessionId, page: PageRequest): Promise<Page<MessageRecord>> {
    const { tenantId, sessionId } = key;
    const query = this.db
      .selectFrom('messages')
      .select(HISTORY_COLUMNS)
      .where('tenant_id', '=', tenantId)
      .where('session_id', '=', sessionId);
    const toMessage = (row: HistoryRow) => toRecord(tenantId, sessionId, row);
    return readPage(runner, query, { order: ORDER, long: ['message'], toRecord: toMessage }, page);
  }

  async insert(runner: Runner, messages: readonly MessageRecord[]): Promise<void> {
    await this.statements.insert(runner, messages.map(toRow));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    history: template((key: SessionKey & { from: number }) =>
      db
        .selectFrom('messages')
        .select(HISTORY_COLUMNS)
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where('run_ordinal', '>=', key.from)
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
