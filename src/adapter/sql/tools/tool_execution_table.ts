/** Queries about the tool log. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Page, PageRequest } from '../../../port/store/page';
import type { FileUse, ToolExecutionEnd, ToolExecutionFilter, ToolExecutionRecord } from '../../../port/store/tool_executions';
import { fromJson } from '../base/column_values';
import { type ListOrder, readPage } from '../base/cursor';
import { defineTable, type RowOf } from '../base/define_table';
import { isPostgres } from '../base/dialect';
import { pick, template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { insertInto, selectBy } from '../base/table_statements';

const EXECUTIONS = defineTable<ToolExecutionRecord>()('tool_executions', {
  tenant_id: 'text',
  id: 'text',
  session_id: 'text?',
  run_id: 'text?',
  tool_call_id: 'text?',
  tool: 'text',
  command: 'text?',
  user_name: 'text? user',
  agent: 'text?',
  args: 'text',
  owner: 'text?',
  status: 'text',
  result: 'text?',
  error: 'text?',
  duration_ms: 'number?',
  cached: 'flag?',
  duplicate: 'flag?',
  details: 'json?',
  created_at: 'number',
  ended_at: 'number?',
});
const ENDS = defineTable<ToolExecutionEnd>()('tool_executions', {
  status: 'text',
  result: 'text?',
  error: 'text?',
  duration_ms: 'number?',
  cached: 'flag?',
  duplicate: 'flag?',
  details: 'json?',
  ended_at: 'number?',
});

/** `answer`: the result of a direct call whose caller did not wait for its end (`prefer: respond-async`). */
declare module '../base/schema' {
  interface Schema {
    tool_executions: RowOf<typeof EXECUTIONS> & { answer?: string | null };
  }
}

type Key = Pick<RowOf<typeof EXECUTIONS>, 'tenant_id' | 'id'>;

const MAX_RUNNING = sql.lit(1_000);
/** The newest calls of a session in which a file is looked up. */
const FILE_CALLS = sql.lit(500);
/** Must equal the condition of the partial index `tool_executions_running`, or SQLite does not use it. */
const IS_RUNNING_DIRECTLY = "status = 'running' and run_id is null";
const ORDER: ListOrder = { list: 'tool_executions', columns: ['created_at', 'id'], second: 'string', direction: 'desc' };
const LONG_COLUMNS = ['args', 'result', 'error', 'details'] as const;

export class ToolExecutionTable extends sqlTable(statements) {
  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), EXECUTIONS.toRecord);
  }

  async list(tenantId: string, filter: ToolExecutionFilter, page: PageRequest): Promise<Page<ToolExecutionRecord>> {
    const { shownIn } = filter;
    const calls = shownIn === undefined ? tableOf(this.db) : callsShownIn(this.db, tenantId, shownIn);
    let query = calls.select(EXECUTIONS.columns).where('tenant_id', '=', tenantId);
    if (filter.tool !== undefined) query = query.where('tool', '=', filter.tool);
    if (filter.tools !== undefined) query = query.where('tool', 'in', filter.tools);
    if (filter.toolOrManifest !== undefined) query = query.where(isToolOrManifest(filter.toolOrManifest));
    if (filter.command !== undefined) query = query.where('command', '=', filter.command);
    if (filter.user !== undefined) query = query.where('user_name', '=', filter.user);
    if (filter.agent !== undefined) query = query.where('agent', '=', filter.agent);
    if (filter.status !== undefined) query = query.where('status', '=', filter.status);
    if (filter.sessionId !== undefined) query = query.where('session_id', '=', filter.sessionId);
    if (filter.runId !== undefined) query = query.where('run_id', '=', filter.runId);
    if (filter.since !== undefined) query = query.where('created_at', '>=', filter.since);
    return readPage(this.runner, query, { order: ORDER, long: LONG_COLUMNS, toRecord: EXECUTIONS.toRecord }, page);
  }

  async toolsOfSession(tenantId: string, sessionId: string): Promise<string[]> {
    const rows = await this.runner.rows(this.statements.toolsOfSession({ tenant_id: tenantId, session_id: sessionId }));
    return rows.map(({ tool }) => tool);
  }

  async lastFileUse(tenantId: string, sessionId: string, path: string): Promise<FileUse | undefined> {
    const key = { tenant_id: tenantId, session_id: sessionId, path: `"path":${JSON.stringify(path)}` };
    const [row] = await this.runner.rows(this.statements.lastFileUse(key));
    if (!row?.run_id || !row.details) return undefined;
    return { version: fromJson<{ version: string }>(row.details).version, runId: row.run_id };
  }

  runningDirectCalls() {
    return this.records(this.statements.runningDirectCalls({}), EXECUTIONS.toRecord);
  }

  async getAnswer(tenantId: string, id: string): Promise<Record<string, unknown> | undefined> {
    const [row] = await this.runner.rows(this.statements.getAnswer({ tenant_id: tenantId, id }));
    return row?.answer ? fromJson<Record<string, unknown>>(row.answer) : undefined;
  }

  putAnswer(tenantId: string, id: string, answer: Record<string, unknown>) {
    return this.execute(this.statements.putAnswer({ tenant_id: tenantId, id, answer: JSON.stringify(answer) }));
  }

  async insert(execution: ToolExecutionRecord): Promise<void> {
    await this.statements.insert(this.runner, [execution]);
  }

  finish(tenantId: string, id: string, end: ToolExecutionEnd) {
    return this.hasChanged(this.statements.finish({ tenant_id: tenantId, id, ...ENDS.toRow(end) }));
  }
}

/**
 * The calls that the turns of the session show, in the place of the table. Copied messages keep the run that wrote them, and have the ordinal 0. The cross
 * join makes SQLite begin with the runs, which are few beside the calls of a tenant.
 */
function callsShownIn(db: Kysely<Schema>, tenantId: string, sessionId: string) {
  const calls = sql<RowOf<typeof EXECUTIONS>>`(
    with shown as (
      select id as run from runs where tenant_id = ${tenantId} and session_id = ${sessionId}
      union all select distinct run_id from messages where tenant_id = ${tenantId} and session_id = ${sessionId} and run_ordinal = 0
    ), worked as (
      select run from shown
      union all select child.id from shown cross join runs as child where child.tenant_id = ${tenantId} and child.parent_run_id = shown.run
    )
    select calls.* from worked cross join tool_executions as calls where calls.tenant_id = ${tenantId} and calls.run_id = worked.run
  )`;
  return db.selectFrom(calls.as('tool_executions')) as unknown as ReturnType<typeof tableOf>;
}

const tableOf = (db: Kysely<Schema>) => db.selectFrom('tool_executions');

/** Only tools of manifests have a command. */
const isToolOrManifest = (name: string) => sql<SqlBool>`(tool = ${name} or (command is not null and tool = ${name} || '__' || command))`;

/** True where a column contains the text. */
const holds = (db: Kysely<Schema>, column: string, text: unknown) =>
  isPostgres(db) ? sql<SqlBool>`strpos(${sql.ref(column)}, ${text}) > 0` : sql<SqlBool>`instr(${sql.ref(column)}, ${text}) > 0`;

function statements(db: Kysely<Schema>) {
  return {
    getAnswer: template((key: Key) =>
      db.selectFrom('tool_executions').select('answer').where('tenant_id', '=', key.tenant_id).where('id', '=', key.id),
    ),
    putAnswer: template((key: Key & { answer: string }) =>
      db.updateTable('tool_executions').set({ answer: key.answer }).where('tenant_id', '=', key.tenant_id).where('id', '=', key.id),
    ),
    get: selectBy(db, EXECUTIONS, 'tenant_id', 'id'),
    toolsOfSession: template((key: { tenant_id: string; session_id: string }) =>
      db
        .selectFrom('tool_executions')
        .select('tool')
        .distinct()
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .orderBy('tool'),
    ),
    lastFileUse: template((key: { tenant_id: string; session_id: string; path: string }) =>
      db
        .selectFrom(
          db
            .selectFrom('tool_executions')
            .select(['run_id', 'details', 'created_at', 'id'])
            .where('tenant_id', '=', key.tenant_id)
            .where('session_id', '=', key.session_id)
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(FILE_CALLS)
            .as('newest'),
        )
        .select(['run_id', 'details'])
        .where(holds(db, 'details', key.path))
        .where(holds(db, 'details', sql.lit('"version":"')))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(sql.lit(1)),
    ),
    runningDirectCalls: template(() =>
      db
        .selectFrom('tool_executions')
        .select(EXECUTIONS.columns)
        .where(sql.raw<SqlBool>(IS_RUNNING_DIRECTLY))
        .orderBy('created_at')
        .limit(MAX_RUNNING),
    ),
    insert: insertInto(db, EXECUTIONS),
    finish: template((end: Key & RowOf<typeof ENDS>) =>
      db
        .updateTable('tool_executions')
        .set(pick(end, ENDS.columns))
        .where('tenant_id', '=', end.tenant_id)
        .where('id', '=', end.id)
        .where('status', '=', 'running'),
    ),
  };
}
