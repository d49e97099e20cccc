/** Queries about the tool log. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Page, PageRequest } from '../../port/store/page';
import type { ToolExecutionEnd, ToolExecutionFilter, ToolExecutionRecord } from '../../port/store/tool_executions';
import { fromJson, toFlag, toJson } from './column_values';
import { type ListOrder, readPage } from './cursor';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { Schema, ToolExecutionRow } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = [
  'tenant_id',
  'id',
  'session_id',
  'run_id',
  'tool_call_id',
  'tool',
  'command',
  'user_name',
  'agent',
  'args',
  'owner',
  'status',
  'result',
  'error',
  'duration_ms',
  'cached',
  'duplicate',
  'details',
  'created_at',
  'ended_at',
] as const;

const MAX_RUNNING = sql.lit(1_000);
/** Must equal the condition of the partial index `tool_executions_running`, or SQLite does not use it. */
const IS_RUNNING_DIRECTLY = "status = 'running' and run_id is null";
const ORDER: ListOrder = { list: 'tool_executions', columns: ['created_at', 'id'], second: 'string', direction: 'desc' };
const LONG_COLUMNS = ['args', 'result', 'error', 'details'] as const;

type EndColumns = Pick<ToolExecutionRow, 'status' | 'result' | 'error' | 'duration_ms' | 'cached' | 'duplicate' | 'details' | 'ended_at'>;
type Ending = Pick<ToolExecutionRow, 'tenant_id' | 'id'> & EndColumns;

export class ToolExecutionTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(private readonly db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async get(tenantId: string, id: string): Promise<ToolExecutionRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, id }));
    return row && toRecord(row);
  }

  async list(tenantId: string, filter: ToolExecutionFilter, page: PageRequest): Promise<Page<ToolExecutionRecord>> {
    let query = this.db.selectFrom('tool_executions').select(COLUMNS).where('tenant_id', '=', tenantId);
    if (filter.tool !== undefined) query = query.where('tool', '=', filter.tool);
    if (filter.toolOrManifest !== undefined) query = query.where(isToolOrManifest(filter.toolOrManifest));
    if (filter.command !== undefined) query = query.where('command', '=', filter.command);
    if (filter.user !== undefined) query = query.where('user_name', '=', filter.user);
    if (filter.agent !== undefined) query = query.where('agent', '=', filter.agent);
    if (filter.status !== undefined) query = query.where('status', '=', filter.status);
    if (filter.sessionId !== undefined) query = query.where('session_id', '=', filter.sessionId);
    if (filter.runId !== undefined) query = query.where('run_id', '=', filter.runId);
    if (filter.since !== undefined) query = query.where('created_at', '>=', filter.since);
    return readPage(this.runner, query, { order: ORDER, long: LONG_COLUMNS, toRecord: toRecord }, page);
  }

  async toolsOfSession(tenantId: string, sessionId: string): Promise<string[]> {
    const rows = await this.runner.rows(this.statements.toolsOfSession({ tenant_id: tenantId, session_id: sessionId }));
    return rows.map(({ tool }) => tool);
  }

  async runningDirectCalls(): Promise<ToolExecutionRecord[]> {
    return (await this.runner.rows(this.statements.runningDirectCalls({}))).map(toRecord);
  }

  async getAnswer(tenantId: string, id: string): Promise<Record<string, unknown> | undefined> {
    const [row] = await this.runner.rows(this.statements.getAnswer({ tenant_id: tenantId, id }));
    return row?.answer ? fromJson<Record<string, unknown>>(row.answer) : undefined;
  }

  async putAnswer(tenantId: string, id: string, answer: Record<string, unknown>): Promise<void> {
    await this.runner.changes(this.statements.putAnswer({ tenant_id: tenantId, id, answer: JSON.stringify(answer) }));
  }

  async insert(execution: ToolExecutionRecord): Promise<void> {
    await this.statements.insert(this.runner, [toRow(execution)]);
  }

  async finish(tenantId: string, id: string, end: ToolExecutionEnd): Promise<boolean> {
    return (await this.runner.changes(this.statements.finish({ tenant_id: tenantId, id, ...toEndColumns(end) }))) > 0;
  }
}

/** Only tools of manifests have a command. */
const isToolOrManifest = (name: string) => sql<SqlBool>`(tool = ${name} or (command is not null and tool = ${name} || '__' || command))`;

function statements(db: Kysely<Schema>) {
  return {
    getAnswer: template((key: Pick<ToolExecutionRow, 'tenant_id' | 'id'>) =>
      db.selectFrom('tool_executions').select('answer').where('tenant_id', '=', key.tenant_id).where('id', '=', key.id),
    ),
    putAnswer: template((key: Pick<ToolExecutionRow, 'tenant_id' | 'id'> & { answer: string }) =>
      db.updateTable('tool_executions').set({ answer: key.answer }).where('tenant_id', '=', key.tenant_id).where('id', '=', key.id),
    ),
    get: template((key: Pick<ToolExecutionRow, 'tenant_id' | 'id'>) =>
      db.selectFrom('tool_executions').select(COLUMNS).where('tenant_id', '=', key.tenant_id).where('id', '=', key.id),
    ),
    toolsOfSession: template((key: { tenant_id: string; session_id: string }) =>
      db
        .selectFrom('tool_executions')
        .select('tool')
        .distinct()
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .orderBy('tool'),
    ),
    runningDirectCalls: template(() =>
      db
        .selectFrom('tool_executions')
        .select(COLUMNS)
        .where(sql.raw<SqlBool>(IS_RUNNING_DIRECTLY))
        .orderBy('created_at')
        .limit(MAX_RUNNING),
    ),
    insert: insertRows<ToolExecutionRow>(COLUMNS, rows => db.insertInto('tool_executions').values(rows)),
    finish: template((end: Ending) =>
      db
        .updateTable('tool_executions')
        .set({
          status: end.status,
          result: end.result,
          error: end.error,
          duration_ms: end.duration_ms,
          cached: end.cached,
          duplicate: end.duplicate,
          details: end.details,
          ended_at: end.ended_at,
        })
        .where('tenant_id', '=', end.tenant_id)
        .where('id', '=', end.id)
        .where('status', '=', 'running'),
    ),
  };
}

function toEndColumns(end: ToolExecutionEnd): EndColumns {
  return {
    status: end.status,
    result: end.result ?? null,
    error: end.error ?? null,
    duration_ms: end.durationMs ?? null,
    cached: end.cached === undefined ? null : toFlag(end.cached),
    duplicate: end.duplicate === undefined ? null : toFlag(end.duplicate),
    details: toJson(end.details),
    ended_at: end.endedAt ?? null,
  };
}

function toRow(record: ToolExecutionRecord): ToolExecutionRow {
  return {
    tenant_id: record.tenantId,
    id: record.id,
    session_id: record.sessionId ?? null,
    run_id: record.runId ?? null,
    tool_call_id: record.toolCallId ?? null,
    tool: record.tool,
    command: record.command ?? null,
    user_name: record.user ?? null,
    agent: record.agent ?? null,
    args: record.args,
    owner: record.owner ?? null,
    created_at: record.createdAt,
    ...toEndColumns(record),
  };
}

function toRecord(row: ToolExecutionRow): ToolExecutionRecord {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    sessionId: row.session_id ?? undefined,
    runId: row.run_id ?? undefined,
    toolCallId: row.tool_call_id ?? undefined,
    tool: row.tool,
    command: row.command ?? undefined,
    user: row.user_name ?? undefined,
    agent: row.agent ?? undefined,
    args: row.args,
    owner: row.owner ?? undefined,
    status: row.status,
    result: row.result ?? undefined,
    error: row.error ?? undefined,
    durationMs: row.duration_ms ?? undefined,
    cached: row.cached === null ? undefined : row.cached === 1,
    duplicate: row.duplicate === null ? undefined : row.duplicate === 1,
    details: row.details === null ? undefined : fromJson<Record<string, unknown>>(row.details),
    createdAt: row.created_at,
    endedAt: row.ended_at ?? undefined,
  };
}
