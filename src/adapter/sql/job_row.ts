/** Rows of jobs and of the runs that they started. */
import type { JobRecord, JobTrigger } from '../../port/store/jobs';
import type { Locale } from '../../port/store/sessions';

export interface JobRow {
  tenant_id: string;
  id: string;
  name: string;
  schedule: string;
  input: string;
  agent: string;
  locale: Locale;
  session: JobRecord['session'];
  on_missed: JobRecord['onMissed'];
  on_overlap: JobRecord['onOverlap'];
  enabled: 0 | 1;
  /** Null while the job is disabled. */
  next_run_at: number | null;
  queued_due_at: number | null;
  session_id: string | null;
  failures: number;
  paused_reason: string | null;
  key_name: string | null;
  /** JSON of RunTools. */
  tools: string | null;
  version: number;
  created_at: number;
  updated_at: number;
}

export interface JobRunRow {
  tenant_id: string;
  job_id: string;
  run_id: string;
  session_id: string;
  due_at: number;
  trigger: JobTrigger;
  created_at: number;
}
