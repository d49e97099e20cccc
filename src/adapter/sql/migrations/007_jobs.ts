/** Jobs and the runs that they started. A due time of a job has at most one run. */
import { type Kysely, sql } from 'kysely';

export async function createJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('schedule', 'text', column => column.notNull())
    .addColumn('input', 'text', column => column.notNull())
    .addColumn('agent', 'text', column => column.notNull())
    .addColumn('locale', 'text', column => column.notNull())
    .addColumn('session', 'text', column => column.notNull())
    .addColumn('on_missed', 'text', column => column.notNull())
    .addColumn('on_overlap', 'text', column => column.notNull())
    .addColumn('enabled', 'integer', column => column.notNull())
    .addColumn('next_run_at', 'bigint')
    .addColumn('queued_due_at', 'bigint')
    .addColumn('session_id', 'text')
    .addColumn('failures', 'integer', column => column.notNull())
    .addColumn('paused_reason', 'text')
    .addColumn('version', 'bigint', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('jobs_key', ['tenant_id', 'id'])
    .execute();
  await db.schema.createIndex('jobs_due').on('jobs').columns(['next_run_at']).where(sql<boolean>`next_run_at is not null`).execute();
  await db.schema.createIndex('jobs_queued').on('jobs').columns(['queued_due_at']).where(sql<boolean>`queued_due_at is not null`).execute();
  await createJobRuns(db);
}

async function createJobRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('job_runs')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('job_id', 'text', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('due_at', 'bigint', column => column.notNull())
    .addColumn('trigger', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('job_runs_key', ['tenant_id', 'run_id'])
    .addForeignKeyConstraint('job_runs_job', ['tenant_id', 'job_id'], 'jobs', ['tenant_id', 'id'], key => key.onDelete('cascade'))
    .addForeignKeyConstraint('job_runs_run', ['tenant_id', 'run_id'], 'runs', ['tenant_id', 'id'], key => key.onDelete('cascade'))
    .execute();
  await db.schema
    .createIndex('job_runs_by_due')
    .unique()
    .on('job_runs')
    .columns(['tenant_id', 'job_id', 'due_at'])
    .where(sql<boolean>`trigger <> 'manual'`)
    .execute();
  await db.schema.createIndex('job_runs_by_creation').on('job_runs').columns(['tenant_id', 'job_id', 'created_at', 'run_id']).execute();
}
