/** Queries about jobs and the runs that they started. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { isOwnedRowSeen, OWNED_COLUMNS, toViewerValues } from '../../../adapter/sql/access/owned_rows';
import { type ListOrder, readPage } from '../../../adapter/sql/base/cursor';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { pick, template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../adapter/sql/base/table_statements';
import { isUnfinished } from '../../../adapter/sql/runs/run_statements';
import type { Page, PageRequest } from '../../../port/store/page';
import type { Viewer } from '../../../port/store/session_access';
import type { JobRecord, JobRunRecord, JobTrigger } from './job_records';

const JOBS = defineTable<JobRecord>()('jobs', {
  tenant_id: 'text',
  id: 'text',
  name: 'text',
  schedule: 'json',
  input: 'text',
  agent: 'text',
  locale: 'text',
  session: 'text',
  on_missed: 'text',
  on_overlap: 'text',
  enabled: 'flag',
  next_run_at: 'number?',
  queued_due_at: 'number?',
  session_id: 'text?',
  failures: 'number',
  paused_reason: 'text?',
  key_name: 'text?',
  tools: 'json?',
  version: 'number',
  created_at: 'number',
  updated_at: 'number',
  ...OWNED_COLUMNS,
});

/** The columns behind 'created_at' are those of the run. */
const STARTED_RUNS = defineTable<JobRunRecord>()('job_runs', {
  tenant_id: 'text',
  job_id: 'text',
  run_id: 'text',
  session_id: 'text',
  due_at: 'number',
  trigger: 'text',
  created_at: 'number',
  status: 'text',
  started_at: 'number?',
});
const JOB_RUNS = STARTED_RUNS.without('status', 'started_at');

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    jobs: RowOf<typeof JOBS>;
    job_runs: RowOf<typeof JOB_RUNS>;
  }
}

type Key = Pick<RowOf<typeof JOBS>, 'tenant_id' | 'id'>;
type JobKey = Pick<RowOf<typeof JOB_RUNS>, 'tenant_id' | 'job_id'>;
const CHANGED = JOBS.columns.filter(column => column !== 'tenant_id' && column !== 'id');

const ORDER: ListOrder = { list: 'jobs', columns: ['created_at', 'id'], second: 'string', direction: 'asc' };
const RUN_ORDER: ListOrder = {
  list: 'job_runs',
  columns: ['created_at', 'run_id'],
  second: 'string',
  direction: 'desc',
};
const MOST_COUNTED = sql.lit(10_000);
const MAX_DUE = 100;

export class JobTable extends sqlTable(statements) {
  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), JOBS.toRecord);
  }

  async list(tenantId: string, page: PageRequest, viewer?: Viewer): Promise<Page<JobRecord>> {
    const all = this.db.selectFrom('jobs').select(JOBS.columns).where('tenant_id', '=', tenantId);
    const query = viewer ? all.where(isOwnedRowSeen(this.db, 'jobs', toViewerValues(viewer))) : all;
    return readPage(this.runner, query, { order: ORDER, long: ['input'], toRecord: JOBS.toRecord }, page);
  }

  count(tenantId: string, owner = '') {
    return this.readCount(this.statements.count({ tenant_id: tenantId, owner }));
  }

  countOverdue(time: number) {
    return this.readCount(this.statements.countOverdue({ time }));
  }

  async due(now: number): Promise<JobRecord[]> {
    const due = await this.runner.rows(this.statements.due({ now }));
    // Jobs with queued due times come last: they wait for their runs to end and must not push out the other jobs.
    const queued = await this.runner.rows(this.statements.queued({ now }));
    return [...due, ...queued].slice(0, MAX_DUE).map(JOBS.toRecord);
  }

  async nextTimes(): Promise<{ nextRunAt?: number; isQueued: boolean }> {
    const [row] = await this.runner.rows(this.statements.nextTimes({}));
    const nextRunAt = row?.next_run_at ?? null;
    return { nextRunAt: nextRunAt === null ? undefined : Number(nextRunAt), isQueued: (row?.queued_due_at ?? null) !== null };
  }

  async insert(job: JobRecord): Promise<void> {
    await this.statements.insert(this.runner, [job]);
  }

  update(job: JobRecord) {
    return this.hasChanged(this.statements.update({ ...JOBS.toRow(job), version: job.version + 1, expected: job.version }));
  }

  delete(tenantId: string, id: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, id }));
  }

  async insertRun(run: Omit<JobRunRecord, 'status' | 'startedAt'>): Promise<void> {
    await this.statements.insertRun(this.runner, [run]);
  }

  async listRuns(tenantId: string, jobId: string, page: PageRequest): Promise<Page<JobRunRecord>> {
    const runs = joinedRuns(this.db).where('job_runs.tenant_id', '=', tenantId).where('job_runs.job_id', '=', jobId);
    // Both tables have a column created_at; outside the join its name is unique.
    const query = this.db.selectFrom(runs.as('started')).select(STARTED_RUNS.columns);
    return readPage(this.runner, query, { order: RUN_ORDER, long: ['trigger'], toRecord: STARTED_RUNS.toRecord }, page);
  }

  async latestRuns(tenantId: string, jobId?: string): Promise<JobRunRecord[]> {
    const { latestRuns, latestRunOf } = this.statements;
    const query = jobId === undefined ? latestRuns({ tenant_id: tenantId }) : latestRunOf({ tenant_id: tenantId, job_id: jobId });
    return (await this.runner.rows(query)).map(STARTED_RUNS.toRecord);
  }

  countUnfinishedRuns(tenantId: string, jobId: string) {
    return this.readCount(this.statements.countUnfinishedRuns({ tenant_id: tenantId, job_id: jobId }));
  }

  async hasRun(tenantId: string, jobId: string, dueAt: number): Promise<boolean> {
    return (await this.runner.rows(this.statements.runAt({ tenant_id: tenantId, job_id: jobId, due_at: dueAt }))).length > 0;
  }

  async ofRun(tenantId: string, runId: string): Promise<{ job: JobRecord; trigger: JobTrigger } | undefined> {
    const [row] = await this.runner.rows(this.statements.ofRun({ tenant_id: tenantId, run_id: runId }));
    return row && { job: JOBS.toRecord(row), trigger: row.trigger };
  }
}

const joinedRuns = (db: Kysely<Schema>) =>
  db
    .selectFrom('job_runs')
    .innerJoin('runs', join => join.onRef('runs.tenant_id', '=', 'job_runs.tenant_id').onRef('runs.id', '=', 'job_runs.run_id'))
    .select([...JOB_RUNS.columns.map(column => `job_runs.${column}` as const), 'runs.status', 'runs.started_at']);

function statements(db: Kysely<Schema>) {
  const jobs = db.selectFrom('jobs').select(JOBS.columns);
  return {
    get: selectBy(db, JOBS, 'tenant_id', 'id'),
    count: template((key: Pick<Key, 'tenant_id'> & { owner: string }) =>
      db
        .selectFrom('jobs')
        .select(eb => eb.fn.countAll<number>().as('count'))
        .where('tenant_id', '=', key.tenant_id)
        .where(sql<SqlBool>`coalesce(owner, '') = ${key.owner}`),
    ),
    countOverdue: template(({ time }: { time: number }) =>
      db
        .selectFrom(eb => eb.selectFrom('jobs').select(sql.lit(1).as('one')).where('next_run_at', '<', time).limit(MOST_COUNTED).as('late'))
        .select(eb => eb.fn.countAll<number>().as('count')),
    ),
    // Two statements, each with a partial index of its own; one statement with `or` would read all jobs.
    due: template(({ now }: { now: number }) =>
      jobs.where('next_run_at', '<=', now).orderBy('next_run_at').orderBy('id').limit(sql.lit(MAX_DUE)),
    ),
    queued: template(({ now }: { now: number }) =>
      jobs
        .where('queued_due_at', 'is not', null)
        .where(eb => eb.or([eb('next_run_at', 'is', null), eb('next_run_at', '>', now)]))
        .orderBy('queued_due_at')
        .orderBy('id')
        .limit(sql.lit(MAX_DUE)),
    ),
    nextTimes: template(() =>
      db.selectNoFrom(eb => [
        eb
          .selectFrom('jobs')
          .select(sql<number | null>`min(next_run_at)`.as('next'))
          .where('next_run_at', 'is not', null)
          .as('next_run_at'),
        eb
          .selectFrom('jobs')
          .select(sql<number | null>`min(queued_due_at)`.as('queued'))
          .where('queued_due_at', 'is not', null)
          .as('queued_due_at'),
      ]),
    ),
    insert: insertInto(db, JOBS),
    update: template((job: RowOf<typeof JOBS> & { expected: number }) =>
      db
        .updateTable('jobs')
        .set(pick(job, CHANGED))
        .where('tenant_id', '=', job.tenant_id)
        .where('id', '=', job.id)
        .where('version', '=', job.expected),
    ),
    delete: deleteBy(db, JOBS, 'tenant_id', 'id'),
    insertRun: insertInto(db, JOB_RUNS),
    ...latestRunStatements(db),
    ...runStatements(db),
  };
}

function latestRunStatements(db: Kysely<Schema>) {
  return {
    // Begins with the jobs, of which there are few; a job can have started hundreds of thousands of runs.
    latestRuns: template((key: Pick<JobKey, 'tenant_id'>) =>
      joinedRuns(db)
        .where('job_runs.tenant_id', '=', key.tenant_id)
        .where('job_runs.run_id', 'in', runs =>
          runs
            .selectFrom('jobs')
            .where('jobs.tenant_id', '=', key.tenant_id)
            .select(eb =>
              eb
                .selectFrom('job_runs as newest')
                .select('newest.run_id')
                .whereRef('newest.tenant_id', '=', 'jobs.tenant_id')
                .whereRef('newest.job_id', '=', 'jobs.id')
                .orderBy('newest.created_at', 'desc')
                .orderBy('newest.run_id', 'desc')
                .limit(sql.lit(1))
                .as('run_id'),
            ),
        ),
    ),
    latestRunOf: template((key: JobKey) =>
      joinedRuns(db)
        .where('job_runs.tenant_id', '=', key.tenant_id)
        .where('job_runs.job_id', '=', key.job_id)
        .orderBy('job_runs.created_at', 'desc')
        .orderBy('job_runs.run_id', 'desc')
        .limit(sql.lit(1)),
    ),
  };
}

function runStatements(db: Kysely<Schema>) {
  return {
    // Begins with the few unfinished runs, in their index; a job can have started hundreds of thousands of runs.
    countUnfinishedRuns: template((key: JobKey) =>
      db
        .selectFrom('runs')
        .select(eb => eb.fn.countAll<number>().as('count'))
        .where(isUnfinished)
        .where('tenant_id', '=', key.tenant_id)
        .where(eb =>
          eb.exists(
            eb
              .selectFrom('job_runs')
              .select('job_runs.run_id')
              .whereRef('job_runs.tenant_id', '=', 'runs.tenant_id')
              .whereRef('job_runs.run_id', '=', 'runs.id')
              .where('job_runs.job_id', '=', key.job_id),
          ),
        ),
    ),
    runAt: template((key: JobKey & { due_at: number }) =>
      db
        .selectFrom('job_runs')
        .select('run_id')
        .where('tenant_id', '=', key.tenant_id)
        .where('job_id', '=', key.job_id)
        .where('due_at', '=', key.due_at)
        .where('trigger', '<>', sql.lit('manual')),
    ),
    ofRun: template((key: Pick<RowOf<typeof JOB_RUNS>, 'tenant_id' | 'run_id'>) =>
      db
        .selectFrom('job_runs')
        .innerJoin('jobs', join => join.onRef('jobs.tenant_id', '=', 'job_runs.tenant_id').onRef('jobs.id', '=', 'job_runs.job_id'))
        .select([...JOBS.columns.map(column => `jobs.${column}` as const), 'job_runs.trigger'])
        .where('job_runs.tenant_id', '=', key.tenant_id)
        .where('job_runs.run_id', '=', key.run_id),
    ),
  };
}
