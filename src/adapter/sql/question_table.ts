/** Queries about questions. The table is called `clarifications` and holds approvals too. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Page, PageRequest } from '../../port/store/page';
import type { ApprovalScope, ApprovalSubject, QuestionClosing, QuestionFilter, QuestionRecord } from '../../port/store/questions';
import { fromJson, toJson } from './column_values';
import { type ListOrder, readPage } from './cursor';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { QuestionRow, Schema } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = [
  'tenant_id',
  'id',
  'kind',
  'session_id',
  'run_id',
  'tool_call_id',
  'mode',
  'question',
  'choices',
  'approval',
  'approval_grant',
  'approval_fingerprint',
  'status',
  'answer',
  'created_at',
  'expires_at',
  'closed_at',
  'parent_session_id',
  'decided_by',
] as const;

const ORDER: ListOrder = { list: 'clarifications', columns: ['created_at', 'id'], second: 'string', direction: 'asc' };
const LONG_COLUMNS = ['question', 'choices', 'approval', 'answer'] as const;

/** A literal: SQLite replans a statement with a bound limit at each execution. */
const MAX_TEXT_QUESTIONS = sql.lit(100);
/** A literal: SQLite replans at each execution a statement that compares a bound value with a column of a partial index's condition. */
const PENDING = sql.lit<'pending'>('pending');

/** As `isUnfinished` of run_statements.ts, with the name of the table. */
const isUnfinishedRun = sql.raw<SqlBool>("runs.status in ('queued', 'running', 'waiting')");

type Key = Pick<QuestionRow, 'tenant_id' | 'id'>;
/** Columns that the end of a question writes. */
type Closed = 'status' | 'answer' | 'closed_at' | 'decided_by';

export class QuestionTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(private readonly db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async get(tenantId: string, id: string): Promise<QuestionRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, id }));
    return row && toRecord(row);
  }

  async list(tenantId: string, filter: QuestionFilter, page: PageRequest): Promise<Page<QuestionRecord>> {
    let query = this.db.selectFrom('clarifications').select(COLUMNS).where('tenant_id', '=', tenantId);
    if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
    if (filter.sessionId !== undefined) query = query.where('session_id', '=', filter.sessionId);
    if (filter.parentSessionId !== undefined) query = query.where('parent_session_id', '=', filter.parentSessionId);
    if (filter.runId !== undefined) query = query.where('run_id', '=', filter.runId);
    if (filter.status !== undefined) query = query.where('status', '=', filter.status);
    return readPage(this.runner, query, { order: ORDER, long: LONG_COLUMNS, toRecord: toRecord }, page);
  }

  async openText(tenantId: string, sessionId: string, now: number): Promise<string[]> {
    const rows = await this.runner.rows(this.statements.openTextQuestions({ tenant_id: tenantId, session_id: sessionId, now }));
    return rows.map(row => row.id);
  }

  async newestAnswer(tenantId: string, scope: ApprovalScope): Promise<string | undefined> {
    const { byGrant, byRun } = this.statements;
    const query =
      'grant' in scope
        ? byGrant({ tenant_id: tenantId, session_id: scope.sessionId, approval_grant: scope.grant })
        : byRun({ tenant_id: tenantId, run_id: scope.runId, approval_fingerprint: scope.fingerprint });
    const [row] = await this.runner.rows(query);
    return row?.answer ?? undefined;
  }

  async closedOf(owner: string): Promise<QuestionRecord[]> {
    return (await this.runner.rows(this.statements.closedOf({ owner }))).map(toRecord);
  }

  async insert(question: QuestionRecord): Promise<void> {
    await this.statements.insert(this.runner, [toRow(question)]);
  }

  async close(tenantId: string, id: string, closing: QuestionClosing): Promise<boolean> {
    const change = {
      tenant_id: tenantId,
      id,
      status: closing.status,
      answer: closing.answer ?? null,
      closed_at: closing.closedAt,
      decided_by: closing.decidedBy ?? null,
    };
    return (await this.runner.changes(this.statements.close(change))) > 0;
  }

  async extend(tenantId: string, id: string, expiresAt: number): Promise<boolean> {
    return (await this.runner.changes(this.statements.extend({ tenant_id: tenantId, id, expires_at: expiresAt }))) > 0;
  }
}

function statements(db: Kysely<Schema>) {
  const updatePending = (key: Key) =>
    db.updateTable('clarifications').where('tenant_id', '=', key.tenant_id).where('id', '=', key.id).where('status', '=', PENDING);
  const newestAnswer = db
    .selectFrom('clarifications')
    .select('answer')
    .where('status', '=', 'answered')
    .orderBy('created_at', 'desc')
    .limit(1);
  return {
    byGrant: template((scope: Pick<QuestionRow, 'tenant_id' | 'session_id'> & { approval_grant: string }) =>
      newestAnswer
        .where('tenant_id', '=', scope.tenant_id)
        .where('session_id', '=', scope.session_id)
        .where('approval_grant', '=', scope.approval_grant),
    ),
    byRun: template((scope: Pick<QuestionRow, 'tenant_id' | 'run_id'> & { approval_fingerprint: string }) =>
      newestAnswer
        .where('tenant_id', '=', scope.tenant_id)
        .where('run_id', '=', scope.run_id)
        .where('approval_fingerprint', '=', scope.approval_fingerprint),
    ),
    openTextQuestions: template((key: Pick<QuestionRow, 'tenant_id' | 'session_id'> & { now: number }) =>
      db
        .selectFrom('clarifications')
        .select('id')
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where('status', '=', PENDING)
        .where('kind', '=', 'clarification')
        .where('mode', '=', 'text')
        .where('expires_at', '>', key.now)
        .orderBy('created_at')
        .orderBy('id')
        .limit(MAX_TEXT_QUESTIONS),
    ),
    // Begins with the few unfinished runs, in their index.
    closedOf: template(({ owner }: { owner: string }) =>
      db
        .selectFrom('runs')
        .innerJoin('clarifications', join =>
          join.onRef('clarifications.tenant_id', '=', 'runs.tenant_id').onRef('clarifications.run_id', '=', 'runs.id'),
        )
        .select(COLUMNS.map(column => `clarifications.${column}` as const))
        .where(isUnfinishedRun)
        .where('runs.status', '=', sql.lit('waiting'))
        .where('runs.owner', '=', owner)
        .where('clarifications.status', '<>', sql.lit('pending')),
    ),
    get: template((key: Key) =>
      db.selectFrom('clarifications').select(COLUMNS).where('tenant_id', '=', key.tenant_id).where('id', '=', key.id),
    ),
    insert: insertRows<QuestionRow>(COLUMNS, rows => db.insertInto('clarifications').values(rows)),
    close: template((change: Key & Pick<QuestionRow, Closed>) =>
      updatePending(change).set({
        status: change.status,
        answer: change.answer,
        closed_at: change.closed_at,
        decided_by: change.decided_by,
      }),
    ),
    extend: template((change: Key & Pick<QuestionRow, 'expires_at'>) => updatePending(change).set({ expires_at: change.expires_at })),
  };
}

function toRow(record: QuestionRecord): QuestionRow {
  return {
    tenant_id: record.tenantId,
    id: record.id,
    kind: record.kind,
    session_id: record.sessionId,
    run_id: record.runId,
    tool_call_id: record.toolCallId ?? null,
    mode: record.mode,
    question: record.question,
    choices: toJson(record.choices),
    approval: toJson(record.approval),
    approval_grant: record.approval?.grant ?? null,
    approval_fingerprint: record.approval?.fingerprint ?? null,
    status: record.status,
    answer: record.answer ?? null,
    created_at: record.createdAt,
    expires_at: record.expiresAt,
    closed_at: record.closedAt ?? null,
    parent_session_id: record.parentSessionId ?? null,
    decided_by: record.decidedBy ?? null,
  };
}

function toRecord(row: QuestionRow): QuestionRecord {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    kind: row.kind,
    sessionId: row.session_id,
    runId: row.run_id,
    toolCallId: row.tool_call_id ?? undefined,
    mode: row.mode,
    question: row.question,
    choices: row.choices === null ? undefined : fromJson<string[]>(row.choices),
    approval: row.approval === null ? undefined : fromJson<ApprovalSubject>(row.approval),
    status: row.status,
    answer: row.answer ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    closedAt: row.closed_at ?? undefined,
    parentSessionId: row.parent_session_id ?? undefined,
    decidedBy: row.decided_by ?? undefined,
  };
}
