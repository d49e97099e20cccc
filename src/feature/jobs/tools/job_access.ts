/** The jobs as tools reach them. */
import type { JobRecord, JobRunRecord } from '../store/job_records';

declare module '../../../tools/common' {
  interface ToolAccess {
    /** Absent: the gateway has no jobs. */
    readonly jobs?: JobAccess;
  }
}

/** A schedule as it comes in: exactly one of `cron`, `everyMs` and `at`. */
export interface ScheduleInput {
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron?: string;
  /** IANA name, for `cron`. Default: the time zone of the gateway. */
  timeZone?: string;
  everyMs?: number;
  /** ISO 8601 with Z or an offset. */
  at?: string;
}

export interface JobInput extends Partial<Pick<JobRecord, 'agent' | 'locale' | 'session' | 'onMissed' | 'onOverlap' | 'enabled'>> {
  name: string;
  schedule: ScheduleInput;
  input: string;
}

export interface JobView {
  job: JobRecord;
  /** The newest run. Absent before the first one, and after its session was deleted. */
  lastRun?: JobRunRecord;
}

/** The jobs that a caller sees. Every method rejects with an AppError whose message names the field. */
export interface JobAccess {
  /** The time zone of the gateway. */
  readonly timeZone: string;
  listJobs(): Promise<JobView[]>;
  createJob(input: JobInput): Promise<JobView>;
  updateJob(id: string, changes: Partial<JobInput>): Promise<JobView>;
  /** Deletes a job and resolves with it. */
  deleteJob(id: string): Promise<JobView>;
  runJobNow(id: string): Promise<{ runId: string; sessionId: string }>;
}
