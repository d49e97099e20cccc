/** Encodes jobs and their runs: ISO times, no tenant, no internal fields. */

import { toWireOwned } from '../../service/access/wire_owned';
import { toIsoTime } from '../../utils/iso_time';
import type { JobView } from './job_service';
import type { JobRunRecord } from './store/job_records';

export function toWireJob({ job, lastRun }: JobView) {
  const { id, name, schedule, input, agent, session, onMissed, onOverlap, enabled, nextRunAt, pausedReason, locale } = job;
  return {
    id,
    name,
    schedule: 'at' in schedule ? { at: toIsoTime(schedule.at) } : schedule,
    input,
    agent,
    session,
    onMissed,
    onOverlap,
    enabled,
    nextRunAt: nextRunAt === undefined ? undefined : toIsoTime(nextRunAt),
    lastRun: lastRun && toWireJobRun(lastRun),
    pausedReason,
    locale,
    ...toWireOwned(job),
    createdAt: toIsoTime(job.createdAt),
    updatedAt: toIsoTime(job.updatedAt),
  };
}

export function toWireJobRun({ runId, sessionId, dueAt, startedAt, status, trigger }: JobRunRecord) {
  return {
    runId,
    sessionId,
    dueAt: toIsoTime(dueAt),
    startedAt: startedAt === undefined ? undefined : toIsoTime(startedAt),
    status,
    trigger,
  };
}
