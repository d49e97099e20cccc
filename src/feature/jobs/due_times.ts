/** Computes the due times of jobs. The present time comes in, so that the same question always has the same answer. */
import { Cron } from 'croner';
import type { JobRecord, JobSchedule } from './store/job_records';

/**
 * Resolves the first due time after `after`, in milliseconds since 1970; undefined when there is none. Daylight saving, for cron: a time of day
 * that the clock skips is due once, right after the gap; a time of day that comes twice is due once. A cron with `*` or a step in its hours or
 * minutes goes by what the clock shows: it skips the gap and is due in both repeated hours. Throws for a cron that cannot be read.
 */
export async function nextDueTime(
  { schedule, createdAt }: Pick<JobRecord, 'schedule' | 'createdAt'>,
  after: number,
): Promise<number | undefined> {
  if ('at' in schedule) return schedule.at > after ? schedule.at : undefined;
  if ('everyMs' in schedule) {
    const { everyMs } = schedule;
    return createdAt + Math.max(1, Math.floor((after - createdAt) / everyMs) + 1) * everyMs;
  }
  const cron = await readCron(schedule);
  return cron.nextRun(new Date(after))?.getTime();
}

/** Reads a cron expression. Throws unless it has five valid fields. */
export async function readCron({ cron, timeZone }: Extract<JobSchedule, { cron: string }>) {
  return new Cron(cron, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
}
