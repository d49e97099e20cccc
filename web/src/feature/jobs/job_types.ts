/** Jobs as the REST API sends and reads them. Times are ISO-8601 UTC. */

import type { RunStatus } from '../../../../src/port/run_event';
import type { OwnedThing } from '../../api/rest_types';

export type JobSchedule = { cron: string; timeZone?: string } | { everyMs: number } | { at: string };

export interface JobRun {
  runId: string;
  sessionId: string;
  dueAt: string;
  startedAt?: string;
  status: RunStatus;
  trigger: 'schedule' | 'manual' | 'missed';
}

/** The fields that a person sets. */
export interface JobInput {
  name: string;
  schedule: JobSchedule;
  input: string;
  agent: string;
  session: 'new' | 'same';
  onMissed: 'run' | 'skip';
  onOverlap: 'skip' | 'queue';
}

export interface Job extends JobInput, OwnedThing {
  id: string;
  enabled: boolean;
  /** Why the gateway paused the job itself. */
  pausedReason?: string;
  nextRunAt?: string;
  lastRun?: JobRun;
}
