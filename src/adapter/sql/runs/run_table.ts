/** Queries about runs. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Actor } from '../../../port/principal';
import { isTerminal, type RunEvent, type RunStatus } from '../../../port/run_event';
import type { Page, PageRequest } from '../../../port/store/page';
import {
  type QueuedSession,
  RUNS_PER_READ,
  type RunFilter,
  type RunParent,
  type RunPatch,
  type RunRecord,
  type RunState,
  type UnfinishedPart,
} from '../../../port/store/runs';
import { isInSeenSession } from '../access/session_member_table';
import { type ListOrder, readPage } from '../base/cursor';
import { unindexed } from '../base/dialect';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import type { EventTable } from './event_table';
import { leaseStatements } from './lease_statements';
import { RUN_CHANGES, RUNS, type RunRow, toRunRecord, toRunState } from './run_rows';
import { IDS_AT_ONCE, idPlaces, isUnfinished, runStatements } from './run_statements';

const ORDER: ListOrder = { list: 'runs', columns: ['created_at', 'id'], second: 'string', direction: 'desc' };
/** The runs of a session come in the order of their ordinals, which an index has; it is the order of their creation. */
const ORDER_IN_SESSION: ListOrder = { list: 'runs_of_session', columns: ['ordinal', 'id'], second: 'string', direction: 'desc' };
const LONG_COLUMNS = ['input', 'metadata', 'outcome', 'caller', 'output_schema'] as const;
/** Must equal the condition of the partial index `runs_unsuccessful`, or SQLite does not use it. */
const IS_UNSUCCESSFUL = "status in ('incomplete', 'failed', 'cancelled')";
/** Child runs of one parent that a list can hold; a master of 25 attempts starts 200 at most. */
const MAX_CHILDREN = 10_000;

/** The kind of the oldest open question of a selected run. A session has one active run, so its open questions are those of the run. */
const oldestOpenQuestion = sql`(
  select kind from clarifications as asked
  where asked.tenant_id = runs.tenant_id and asked.status = 'pending'
    and (asked.session_id = runs.session_id or asked.parent_session_id = runs.session_id)
  order by asked.created_at, asked.id limit 1)`;

const isUnsuccessful = (status: RunStatus): boolean => isTerminal(status) && status !== 'completed';

const byAge = (a: RunState, b: RunState): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

type CalledRun = Pick<RunState, 'tenantId' | 'id' | 'callerAt'>;
type CancelledRun = Pick<RunState, 'tenantId' | 'id' | 'cancelledBy'>;

const toCancelledRun = (row: Pick<RunRow, 'tenant_id' | 'id' | 'cancelled_by'>): CancelledRun => ({
  tenantId: row.tenant_id,
  id: row.id,
  cancelledBy: row.cancelled_by ?? undefined,
});

export class RunTable extends sqlTable(runStatements) {
  private readonly leases = leaseStatements(this.db);

  constructor(
    db: Kysely<Schema>,
    private readonly events: EventTable,
  ) {
    super(db);
  }

  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), toRunRecord);
  }

  getState(tenantId: string, id: string) {
    return this.record(this.statements.state({ tenant_id: tenantId, id }), toRunState);
  }

  async progress(tenantId: string, ids: readonly string[]): Promise<Pick<RunState, 'id' | 'status' | 'lastSeq'>[]> {
    const found = [];
    for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
      const places = idPlaces(ids.slice(start, start + IDS_AT_ONCE));
      found.push(...(await this.runner.rows(this.statements.progress({ tenant_id: tenantId, ...places }))));
    }
    return found.map(row => ({ id: row.id, status: row.status, lastSeq: row.last_seq }));
  }

  statesAfter(tenantId: string, sessionId: string, ordinal: number) {
    return this.records(this.statements.statesAfter({ tenant_id: tenantId, session_id: sessionId, ordinal }), toRunState);
  }

  async list(tenantId: string, filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>> {
    const query = this.selectRuns(tenantId, filter);
    const order = filter.sessionId === undefined ? ORDER : ORDER_IN_SESSION;
    return readPage(this.runner, query, { order, long: LONG_COLUMNS, toRecord: toRunRecord }, page);
  }

  async count(tenantId: string, filter: RunFilter): Promise<number> {
    const query = this.selectRuns(tenantId, filter)
      .clearSelect()
      .select(eb => eb.fn.countAll<number>().as('count'));
    const [row] = await this.runner.rows(query.compile());
    return Number(row?.count ?? 0);
  }

  private selectRuns(tenantId: string, filter: RunFilter) {
    const { changedSince, asks, viewer } = filter;
    let query = this.selectIndexedRuns(tenantId, filter);
    if (changedSince !== undefined) query = query.where(sql<SqlBool>`coalesce(ended_at, started_at, created_at) >= ${changedSince}`);
    if (viewer) query = query.where(isInSeenSession(this.db, tenantId, viewer, 'runs.session_id'));
    if (asks !== undefined) query = query.where(sql<SqlBool>`${oldestOpenQuestion} = ${asks}`);
    return query;
  }

  /** Builds the query whose conditions an index in the order of the list covers. */
  private selectIndexedRuns(tenantId: string, { sessionId, status, parentRunId }: RunFilter) {
    const statuses = typeof status === 'string' ? [status] : status;
    if (parentRunId !== undefined) return this.selectChildren(tenantId, parentRunId, { statuses, sessionId });
    const all = this.db.selectFrom('runs').select(RUNS.columns);
    const runs = sessionId === undefined ? all.where('parent_run_id', 'is', null) : all;
    const inStatus = statuses === undefined ? runs : runs.where('status', 'in', statuses);
    if (sessionId !== undefined) return inStatus.where('tenant_id', '=', tenantId).where('session_id', '=', sessionId);
    if (statuses?.every(isUnsuccessful)) return inStatus.where(sql.raw<SqlBool>(IS_UNSUCCESSFUL)).where('tenant_id', '=', tenantId);
    if (statuses === undefined || statuses.some(isTerminal)) return inStatus.where('tenant_id', '=', tenantId);
    // The plus keeps SQLite from an index by tenant: the unfinished runs of all tenants are fewer than the runs of one.
    return inStatus.where(isUnfinished).where(sql<SqlBool>`${unindexed(this.db, 'tenant_id')} = ${tenantId}`);
  }

  private selectChildren(
    tenantId: string,
    parentRunId: string,
    { statuses, sessionId }: { statuses: readonly RunStatus[] | undefined; sessionId: string | undefined },
  ) {
    // The limit makes SQLite read by parent and then sort: an index in the order of the list holds all runs of the tenant.
    const children = this.db
      .selectFrom('runs')
      .select(RUNS.columns)
      .where('tenant_id', '=', tenantId)
      .where('parent_run_id', '=', parentRunId)
      .limit(sql.lit(MAX_CHILDREN))
      .as('runs');
    const all = this.db.selectFrom(children).select(RUNS.columns);
    const inStatus = statuses === undefined ? all : all.where('status', 'in', statuses);
    return sessionId === undefined ? inStatus : inStatus.where('session_id', '=', sessionId);
  }

  findChild(tenantId: string, { runId, toolCallId, index }: Pick<RunParent, 'runId' | 'toolCallId' | 'index'>) {
    const key = { tenant_id: tenantId, parent_run_id: runId, parent_call_id: toolCallId, parent_index: index };
    return this.record(this.statements.child(key), toRunRecord);
  }

  children(tenantId: string, parentRunId: string) {
    return this.records(this.statements.children({ tenant_id: tenantId, parent_run_id: parentRunId }), toRunState);
  }

  after(tenantId: string, sessionId: string, ordinal: number) {
    return this.records(this.statements.after({ tenant_id: tenantId, session_id: sessionId, ordinal }), toRunRecord);
  }

  active(tenantId: string, sessionId: string) {
    return this.record(this.statements.active({ tenant_id: tenantId, session_id: sessionId }), toRunRecord);
  }

  nextQueued(tenantId: string, sessionId: string) {
    return this.record(this.statements.nextQueued({ tenant_id: tenantId, session_id: sessionId }), toRunRecord);
  }

  countQueued(tenantId: string, sessionId: string) {
    return this.readCount(this.statements.countQueued({ tenant_id: tenantId, session_id: sessionId }));
  }

  async unfinishedOf(tenantId: string, sessionId: string): Promise<Pick<RunState, 'id' | 'status'>[]> {
    return this.runner.rows(this.statements.unfinishedOf({ tenant_id: tenantId, session_id: sessionId }));
  }

  async countUnfinished(tenantId: string, keyName?: string): Promise<{ active: number; queued: number }> {
    const rows = await this.runner.rows(this.statements.unfinishedOfKey({ tenant_id: tenantId, key_name: keyName ?? null }));
    const count = (isQueued: boolean) =>
      rows.reduce((sum, row) => sum + ((row.status === 'queued') === isQueued ? Number(row.count) : 0), 0);
    return { active: count(false), queued: count(true) };
  }

  async orphaned(now: number): Promise<RunState[]> {
    const { expired, lostOwners, ofOwner } = this.leases;
    const [rows, lost] = await Promise.all([this.runner.rows(expired({ now })), this.runner.rows(lostOwners({ now }))]);
    for (const { name } of lost) rows.push(...(await this.runner.rows(ofOwner({ node: name }))));
    return rows.map(toRunState).sort(byAge).slice(0, RUNS_PER_READ);
  }

  async leftByCallers(now: number): Promise<(RunState & { isOver: boolean })[]> {
    const { left, lostCallers, ofCaller } = this.leases;
    const [rows, lost] = await Promise.all([this.runner.rows(left({ now })), this.runner.rows(lostCallers({ now }))]);
    const runs = rows.map(row => ({ ...toRunState(row), isOver: row.is_over === 1 }));
    for (const { name } of lost) {
      const ofNode = await this.runner.rows(ofCaller({ node: name }));
      runs.push(...ofNode.map(row => ({ ...toRunState(row), isOver: false })));
    }
    return runs.sort(byAge).slice(0, RUNS_PER_READ);
  }

  async ownedBy(owner: string): Promise<(CancelledRun & Pick<RunState, 'cancelRequested'>)[]> {
    const rows = await this.runner.rows(this.leases.ownedBy({ owner }));
    return rows.map(row => ({ ...toCancelledRun(row), cancelRequested: row.cancel_requested === 1 }));
  }

  async countQueuedOfKeys(limit: number): Promise<(Actor & { count: number })[]> {
    const rows = await this.runner.rows(this.statements.queuedOfKeys({ limit }));
    return rows.map(row => ({ tenantId: row.tenant_id, keyName: row.key_name ?? undefined, count: Number(row.count) }));
  }

  async idleQueued(after: number): Promise<{ sessions: QueuedSession[]; next: number | undefined }> {
    const [last] = await this.runner.rows(this.statements.queuePart({ after }));
    const rows = await this.runner.rows(this.statements.idleQueued({ after, until: last?.created_at ?? Number.MAX_SAFE_INTEGER }));
    const sessions = rows.map(row => ({ tenantId: row.tenant_id, sessionId: row.session_id, keyName: row.key_name ?? undefined }));
    return { sessions, next: last?.created_at };
  }

  unfinished({ tenantId, after }: UnfinishedPart = {}) {
    const place = { tenant_id: after?.tenantId ?? tenantId ?? '', session_id: after?.sessionId ?? '', ordinal: after?.ordinal ?? 0 };
    const read = tenantId === undefined ? this.statements.unfinished : this.statements.unfinishedOfTenant;
    return this.records(read(place), toRunState);
  }

  async cancelledOf(owner: string): Promise<CancelledRun[]> {
    return (await this.runner.rows(this.leases.cancelledOf({ owner }))).map(toCancelledRun);
  }

  async insert(run: Omit<RunRecord, 'ordinal'> & { ordinal?: number }, firstEvents: readonly RunEvent[] = []): Promise<RunRecord> {
    const record = { ...run, ordinal: run.ordinal ?? (await this.nextOrdinal(run)) };
    await this.statements.insert(this.runner, [record]);
    await this.events.on(this.runner).insertFirst(record, firstEvents);
    return record;
  }

  private async nextOrdinal({ tenantId, sessionId }: Pick<RunRecord, 'tenantId' | 'sessionId'>): Promise<number> {
    const [next] = await this.runner.rows(this.statements.nextOrdinal({ tenant_id: tenantId, session_id: sessionId }));
    return Number(next?.ordinal ?? 1);
  }

  async update(tenantId: string, id: string, expected: { from: readonly RunStatus[]; epoch?: number }, patch: RunPatch): Promise<boolean> {
    if (expected.from.length === 0) return false;
    const change = RUN_CHANGES.toChange(patch);
    if (Object.keys(change).length === 0) throw new Error('updateRun was called without a changed field: name at least one.');
    const run = { tenant_id: tenantId, id, expected_epoch: expected.epoch ?? null };
    return (await this.runner.changes(this.statements.update(run, expected.from, change))) > 0;
  }

  async loseCallers({ tenantId, id, callerAt }: CalledRun, { now, graceMs }: { now: number; graceMs: number }): Promise<void> {
    const key = { tenant_id: tenantId, id, caller_at: callerAt ?? null };
    await this.execute(this.leases.loseCallers({ ...key, now, grace_ms: graceMs }));
  }
}
