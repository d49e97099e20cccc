/** Encodes jobs and their runs: ISO times, no tenant, no internal fields. */

import type { JobView } from './job_service';
import type { JobRunRecord } from './store/job_records';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export function toWireJob({ job, lastRun }: JobView) {
  const { id, name, schedule, input, agent, session, onMissed, onOverlap, enabled, nextRunAt, pausedReason, locale } = job;
  return {
    id,
    name,
    schedule: 'at' in schedule ? { at: iso(schedule.at) } : schedule,
    input,
    agent,
    session,
    onMissed,
    onOverlap,
    enabled,
    nextRunAt: nextRunAt === undefined ? undefined : iso(nextRunAt),
    lastRun: lastRun && toWireJobRun(lastRun),
    pausedReason,
    locale,
    createdAt: iso(job.createdAt),
    updatedAt: iso(job.updatedAt),
  };
}

export function toWireJobRun({ runId, sessionId, dueAt, startedAt, status, trigger }: JobRunRecord) {
  return { runId, sessionId, dueAt: iso(dueAt), startedAt: startedAt === undefined ? undefined : iso(startedAt), status, trigger };
}
