/** Jobs, which start runs by themselves, and the runs that they started. Times are milliseconds since 1970. */

import type { RunStatus } from '../../../port/run_event';
import type { RunTools } from '../../../port/run_tools';
import type { Owned } from '../../../port/store/owned';
import type { Page, PageRequest } from '../../../port/store/page';
import type { Viewer } from '../../../port/store/session_access';
import type { Locale } from '../../../port/store/sessions';

/** `everyMs` counts from the creation of the job; `at` is one due time. */
export type JobSchedule = { cron: string; timeZone: string } | { everyMs: number } | { at: number };

/** manual: a person or an agent asked for it now. missed: one run for the due times that passed while no gateway looked. */
export type JobTrigger = 'schedule' | 'manual' | 'missed';

export interface JobRecord extends Owned {
  tenantId: string;
  id: string;
  name: string;
  schedule: JobSchedule;
  input: string;
  agent: string;
  locale: Locale;
  /** new: each run has a session of its own. same: all runs share one. */
  session: 'new' | 'same';
  /** Says whether due times that passed while no gateway looked get one run for all of them, or none. */
  onMissed: 'run' | 'skip';
  /** Says whether a due time that comes before the last run has ended gets no run, or one run afterwards. */
  onOverlap: 'skip' | 'queue';
  enabled: boolean;
  /** The next due time. Absent while the job is disabled. */
  nextRunAt?: number;
  /** A due time whose run waits for the end of an earlier one. */
  queuedDueAt?: number;
  /** The session that all runs of a job with session `same` share, once a run has made it. The session may be deleted by now. */
  sessionId?: string;
  /** Scheduled runs that failed in a row. */
  failures: number;
  /** The reason why the gateway disabled the job by itself. */
  pausedReason?: string;
  /** Tools that the run that made or changed the job leaves to its runs. Absent: all of the agent. */
  tools?: RunTools;
  /** The API key that made the job; runs of the job count for this key. Absent for older jobs. */
  keyName?: string;
  /** Raised by every update: the compare-and-set of updateJob. */
  version: number;
  createdAt: number;
  updatedAt: number;
}

/** A run that a job started, with the present state of the run. */
export interface JobRunRecord {
  tenantId: string;
  jobId: string;
  runId: string;
  sessionId: string;
  /** The due time; for a manual run the time of the request. */
  dueAt: number;
  trigger: JobTrigger;
  createdAt: number;
  status: RunStatus;
  /** Absent while the run is queued. */
  startedAt?: number;
}

export interface JobReader {
  get(tenantId: string, id: string): Promise<JobRecord | undefined>;
  /** Lists the oldest first; of the same time, the lower id first. `viewer`: only what it sees. */
  list(tenantId: string, page: PageRequest, viewer?: Viewer): Promise<Page<JobRecord>>;
  /** Counts the jobs of one owner, or those without an owner. */
  count(tenantId: string, owner?: string): Promise<number>;
  /** All tenants: counts jobs whose due time was before `time`, up to 10,000. */
  countOverdue(time: number): Promise<number>;
  /** All tenants: jobs with a due time at or before `now`, the earliest first, then other jobs with a queued due time; at most 100. */
  due(now: number): Promise<JobRecord[]>;
  /** All tenants: the earliest due time of the enabled jobs, and whether a job has a queued due time. */
  nextTimes(): Promise<{ nextRunAt?: number; isQueued: boolean }>;
  /** Lists the newest first; of the same time, the higher id first. Runs of deleted sessions are gone. */
  listRuns(tenantId: string, jobId: string, page: PageRequest): Promise<Page<JobRunRecord>>;
  /** The newest run of each job of the tenant, or of one job. */
  latestRuns(tenantId: string, jobId?: string): Promise<JobRunRecord[]>;
  /** Counts the runs of the job that have not ended. */
  countUnfinishedRuns(tenantId: string, jobId: string): Promise<number>;
  /** True when a due time of the job has had its run already, not counting manual runs. */
  hasRun(tenantId: string, jobId: string, dueAt: number): Promise<boolean>;
  /** The job that started the run, and why. */
  ofRun(tenantId: string, runId: string): Promise<{ job: JobRecord; trigger: JobTrigger } | undefined>;
}

export interface JobWriter {
  /** Rejects with `internal` when the id is taken. */
  insert(job: JobRecord): Promise<void>;
  /** Replaces the job, with the next version, while its stored version is `job.version`. Resolves whether it did. */
  update(job: JobRecord): Promise<boolean>;
  /** Deletes the job and its list of runs. The runs and their sessions stay. Resolves false when it does not exist. */
  delete(tenantId: string, id: string): Promise<boolean>;
  /** Rejects with `internal` when the run or the job does not exist, or when the due time of the job has a run already (manual runs aside). */
  insertRun(run: Omit<JobRunRecord, 'status' | 'startedAt'>): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly jobs: JobReader;
  }
  interface StoreWriters {
    jobs: JobWriter;
  }
}
