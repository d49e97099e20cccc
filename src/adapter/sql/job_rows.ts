/** Rows of jobs and of their runs, and the records that they hold. */
import type { RunTools } from '../../port/run_tools';
import type { JobRecord, JobRunRecord, JobSchedule } from '../../port/store/jobs';
import { fromJson, toFlag } from './column_values';
import type { JobRow, JobRunRow } from './job_row';
import type { RunRow } from './schema';

export const JOB_COLUMNS = [
  'tenant_id',
  'id',
  'name',
  'schedule',
  'input',
  'agent',
  'locale',
  'session',
  'on_missed',
  'on_overlap',
  'enabled',
  'next_run_at',
  'queued_due_at',
  'session_id',
  'failures',
  'paused_reason',
  'key_name',
  'tools',
  'version',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof JobRow)[];

export const JOB_RUN_COLUMNS = [
  'tenant_id',
  'job_id',
  'run_id',
  'session_id',
  'due_at',
  'trigger',
  'created_at',
] as const satisfies readonly (keyof JobRunRow)[];

/** A row of `job_runs` with the state of its run. */
type JoinedRunRow = JobRunRow & Pick<RunRow, 'status' | 'started_at'>;

export function toJobRow(job: JobRecord): JobRow {
  return {
    tenant_id: job.tenantId,
    id: job.id,
    name: job.name,
    schedule: JSON.stringify(job.schedule),
    input: job.input,
    agent: job.agent,
    locale: job.locale,
    session: job.session,
    on_missed: job.onMissed,
    on_overlap: job.onOverlap,
    enabled: toFlag(job.enabled),
    next_run_at: job.nextRunAt ?? null,
    queued_due_at: job.queuedDueAt ?? null,
    session_id: job.sessionId ?? null,
    failures: job.failures,
    paused_reason: job.pausedReason ?? null,
    key_name: job.keyName ?? null,
    tools: job.tools ? JSON.stringify(job.tools) : null,
    version: job.version,
    created_at: job.createdAt,
    updated_at: job.updatedAt,
  };
}

export function toJobRecord(row: JobRow): JobRecord {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    name: row.name,
    schedule: fromJson<JobSchedule>(row.schedule),
    input: row.input,
    agent: row.agent,
    locale: row.locale,
    session: row.session,
    onMissed: row.on_missed,
    onOverlap: row.on_overlap,
    enabled: row.enabled === 1,
    nextRunAt: row.next_run_at ?? undefined,
    queuedDueAt: row.queued_due_at ?? undefined,
    sessionId: row.session_id ?? undefined,
    failures: row.failures,
    pausedReason: row.paused_reason ?? undefined,
    keyName: row.key_name ?? undefined,
    tools: row.tools === null ? undefined : fromJson<RunTools>(row.tools),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toJobRunRecord(row: JoinedRunRow): JobRunRecord {
  return {
    tenantId: row.tenant_id,
    jobId: row.job_id,
    runId: row.run_id,
    sessionId: row.session_id,
    dueAt: row.due_at,
    trigger: row.trigger,
    createdAt: row.created_at,
    status: row.status,
    startedAt: row.started_at ?? undefined,
  };
}
