/** Queries about questions. The table is called `clarifications` and holds approvals too. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { YesVote } from '../../../port/approval_review';
import { WITH_NODE_LEASE } from '../../../port/store/node_leases';
import type { Page, PageRequest } from '../../../port/store/page';
import type { ApprovalScope, QuestionClosing, QuestionFilter, QuestionRecord } from '../../../port/store/questions';
import { isInSeenSession } from '../access/session_member_table';
import { type ListOrder, readPage } from '../base/cursor';
import { defineTable, type RowOf } from '../base/define_table';
import { pick, template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { insertInto, selectBy } from '../base/table_statements';

const QUESTIONS = defineTable<QuestionRecord>()('clarifications', {
  tenant_id: 'text',
  id: 'text',
  kind: 'text',
  session_id: 'text',
  run_id: 'text',
  tool_call_id: 'text?',
  mode: 'text',
  question: 'text',
  choices: 'json?',
  approval: 'json?',
  approval_grant: ({ approval }: QuestionRecord) => approval?.grant ?? null,
  approval_fingerprint: ({ approval }: QuestionRecord) => approval?.fingerprint ?? null,
  status: 'text',
  answer: 'text?',
  created_at: 'number',
  expires_at: 'number',
  closed_at: 'number?',
  parent_session_id: 'text?',
  decided_by: 'text?',
  approvals: 'json?',
  escalated_at: 'number?',
  asked_to: 'text?',
  passed_to: 'text?',
  escalate: 'json?',
  asked_by: 'text?',
});
const CLOSINGS = defineTable<QuestionClosing>()('clarifications', {
  status: 'text',
  answer: 'text?',
  closed_at: 'number',
  decided_by: 'text?',
  approvals: 'json?',
});

declare module '../base/schema' {
  interface Schema {
    clarifications: RowOf<typeof QUESTIONS>;
  }
}

type Row = RowOf<typeof QUESTIONS>;
type Key = Pick<Row, 'tenant_id' | 'id'>;

const ORDER: ListOrder = { list: 'clarifications', columns: ['created_at', 'id'], second: 'string', direction: 'asc' };
const LONG_COLUMNS = ['question', 'choices', 'approval', 'answer', 'approvals'] as const;

/** A literal: SQLite replans a statement with a bound limit at each execution. */
const MAX_TEXT_QUESTIONS = sql.lit(100);
/** A literal: SQLite replans at each execution a statement that compares a bound value with a column of a partial index's condition. */
const PENDING = sql.lit<'pending'>('pending');

/** The condition of the partial index `runs_leased`. */
const isActiveRun = sql.raw<SqlBool>("runs.status in ('running', 'waiting')");

export class QuestionTable extends sqlTable(statements) {
  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), QUESTIONS.toRecord);
  }

  async list(tenantId: string, filter: QuestionFilter, page: PageRequest): Promise<Page<QuestionRecord>> {
    let query = this.db.selectFrom('clarifications').select(QUESTIONS.columns).where('tenant_id', '=', tenantId);
    if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
    if (filter.sessionId !== undefined) query = query.where('session_id', '=', filter.sessionId);
    if (filter.parentSessionId !== undefined) query = query.where('parent_session_id', '=', filter.parentSessionId);
    if (filter.runId !== undefined) query = query.where('run_id', '=', filter.runId);
    if (filter.status !== undefined) query = query.where('status', '=', filter.status);
    const { viewer, names = [], chatHidden } = filter;
    if (chatHidden && (viewer === undefined || names.length === 0)) return { data: [] };
    if (viewer !== undefined) {
      const isSeen = isInSeenSession(this.db, tenantId, viewer, 'clarifications.session_id');
      query = query.where(eb => {
        if (names.length === 0 || chatHidden === false) return isSeen;
        const isAsked = eb.or([eb('asked_to', 'in', [...names]), eb('passed_to', 'in', [...names])]);
        return chatHidden ? eb.and([isAsked, eb.not(isSeen)]) : eb.or([isSeen, isAsked]);
      });
    }
    return readPage(this.runner, query, { order: ORDER, long: LONG_COLUMNS, toRecord: QUESTIONS.toRecord }, page);
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

  closedOf(owner: string) {
    return this.records(this.statements.closedOf({ owner }), QUESTIONS.toRecord);
  }

  async insert(question: QuestionRecord): Promise<void> {
    await this.statements.insert(this.runner, [question]);
  }

  close(tenantId: string, id: string, closing: QuestionClosing) {
    return this.hasChanged(this.statements.close({ tenant_id: tenantId, id, ...CLOSINGS.toRow(closing) }));
  }

  setApprovals(tenantId: string, id: string, before: readonly YesVote[], after: readonly YesVote[]) {
    const known = before.length === 0 ? '' : JSON.stringify(before);
    return this.hasChanged(this.statements.setApprovals({ tenant_id: tenantId, id, known, approvals: JSON.stringify(after) }));
  }

  passOn(tenantId: string, id: string, { escalatedAt, passedTo }: { escalatedAt: number; passedTo: string }) {
    return this.hasChanged(this.statements.passOn({ tenant_id: tenantId, id, escalated_at: escalatedAt, passed_to: passedTo }));
  }

  extend(tenantId: string, id: string, expiresAt: number) {
    return this.hasChanged(this.statements.extend({ tenant_id: tenantId, id, expires_at: expiresAt }));
  }
}

function statements(db: Kysely<Schema>) {
  const newestAnswer = db
    .selectFrom('clarifications')
    .select('answer')
    .where('status', '=', 'answered')
    .orderBy('created_at', 'desc')
    .limit(1);
  return {
    byGrant: template((scope: Pick<Row, 'tenant_id' | 'session_id'> & { approval_grant: string }) =>
      newestAnswer
        .where('tenant_id', '=', scope.tenant_id)
        .where('session_id', '=', scope.session_id)
        .where('approval_grant', '=', scope.approval_grant),
    ),
    byRun: template((scope: Pick<Row, 'tenant_id' | 'run_id'> & { approval_fingerprint: string }) =>
      newestAnswer
        .where('tenant_id', '=', scope.tenant_id)
        .where('run_id', '=', scope.run_id)
        .where('approval_fingerprint', '=', scope.approval_fingerprint),
    ),
    openTextQuestions: template((key: Pick<Row, 'tenant_id' | 'session_id'> & { now: number }) =>
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
        .select(QUESTIONS.columns.map(column => `clarifications.${column}` as const))
        .where(isActiveRun)
        .where('runs.lease_until', '=', sql.lit(WITH_NODE_LEASE))
        .where('runs.owner', '=', owner)
        .where('runs.status', '=', sql.lit('waiting'))
        .where('clarifications.status', '<>', sql.lit('pending')),
    ),
    get: selectBy(db, QUESTIONS, 'tenant_id', 'id'),
    insert: insertInto(db, QUESTIONS),
    ...changesOfPending(db),
  };
}

/** Compare-and-sets of questions that are open. */
function changesOfPending(db: Kysely<Schema>) {
  const updatePending = (key: Key) =>
    db.updateTable('clarifications').where('tenant_id', '=', key.tenant_id).where('id', '=', key.id).where('status', '=', PENDING);
  return {
    close: template((change: Key & RowOf<typeof CLOSINGS>) =>
      updatePending(change).set({
        ...pick(change, CLOSINGS.columns),
        approvals: sql<string | null>`coalesce(${change.approvals}, approvals)`,
      }),
    ),
    setApprovals: template((change: Key & { known: string; approvals: string }) =>
      updatePending(change).where(sql<SqlBool>`coalesce(approvals, '') = ${change.known}`).set({ approvals: change.approvals }),
    ),
    passOn: template((change: Key & { escalated_at: number; passed_to: string }) =>
      updatePending(change)
        .where('escalated_at', 'is', null)
        .set(pick(change, ['escalated_at', 'passed_to'])),
    ),
    extend: template((change: Key & Pick<Row, 'expires_at'>) => updatePending(change).set({ expires_at: change.expires_at })),
  };
}
