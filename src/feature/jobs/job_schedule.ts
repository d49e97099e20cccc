/** Checks schedules that people, programs and agents write. */
import { AppError } from '../../errors';
import { nextDueTime, readCron } from './due_times';
import type { JobSchedule } from './store/job_records';
import type { ScheduleInput } from './tools/job_access';

const MIN_EVERY_MS = 60_000;
const MAX_EVERY_MS = 366 * 24 * 3_600_000;
/** An `at` this far in the past is due at once: the request may have taken a while. */
const PAST_LIMIT_MS = 60_000;
const DATE_TIME = /^\d{4}-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
/** croner reads a date as a pattern that matches once. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;

/** Resolves the schedule to store; a cron without a zone gets that of `context`. Rejects `invalid_request` with the field in `param`. */
export async function checkSchedule(input: ScheduleInput, context: { now: number; timeZone: string }): Promise<JobSchedule> {
  const { cron, timeZone, everyMs, at } = input;
  const { now } = context;
  const given = [cron, everyMs, at].filter(value => value !== undefined).length;
  if (given !== 1) {
    throw refuse(
      '/schedule',
      `has exactly one of cron, everyMs and at; this one has ${given === 0 ? 'none' : given}.`,
      `cron、everyMs、at 三者必须恰好有一个；这里有 ${given} 个。`,
    );
  }
  if (timeZone !== undefined && cron === undefined) {
    throw refuse('/schedule/timeZone', 'belongs to cron; everyMs and at need none.', '只用于 cron；everyMs 和 at 不需要时区。');
  }
  if (everyMs !== undefined) return { everyMs: checkInterval(everyMs) };
  if (at !== undefined) return { at: checkTime(at, now) };
  return checkCron(cron ?? '', timeZone === undefined ? context.timeZone : checkTimeZone(timeZone), now);
}

function checkInterval(everyMs: number): number {
  if (Number.isInteger(everyMs) && everyMs >= MIN_EVERY_MS && everyMs <= MAX_EVERY_MS) return everyMs;
  throw refuse(
    '/schedule/everyMs',
    `must be a whole number from ${MIN_EVERY_MS} (a minute) to ${MAX_EVERY_MS} (366 days).`,
    `必须是 ${MIN_EVERY_MS}（一分钟）到 ${MAX_EVERY_MS}（366 天）之间的整数。`,
  );
}

function checkTime(at: string, now: number): number {
  const [, month, day] = DATE_TIME.exec(at) ?? [];
  const time = Date.parse(at);
  // A day that the month does not have would become a day of the next month.
  const lastDay = new Date(Date.UTC(Number(at.slice(0, 4)), Number(month), 0)).getUTCDate();
  if (month === undefined || Number.isNaN(time) || Number(day) > lastDay) {
    throw refuse(
      '/schedule/at',
      'must be a date and time with Z or an offset, such as 2030-05-01T08:00:00+02:00.',
      '必须是带 Z 或时差的日期和时间，例如 2030-05-01T08:00:00+02:00。',
    );
  }
  if (time < now - PAST_LIMIT_MS) {
    const iso = new Date(now).toISOString();
    throw refuse('/schedule/at', `has passed; it is ${iso} now.`, `已经过去；现在是 ${iso}。`);
  }
  return time;
}

async function checkCron(cron: string, timeZone: string, now: number): Promise<JobSchedule> {
  const schedule = { cron: cron.trim().replace(/\s+/g, ' '), timeZone };
  await readable(schedule);
  if ((await nextDueTime({ schedule, createdAt: now }, now)) === undefined)
    throw refuse('/schedule/cron', 'never fires.', '永远不会触发。');
  return schedule;
}

async function readable(schedule: { cron: string; timeZone: string }): Promise<void> {
  const fields = schedule.cron.split(' ').length;
  if (ISO_DATE.test(schedule.cron))
    throw refuse('/schedule/cron', 'is a date; a single time belongs in at.', '是一个日期；单个时间请写在 at 里。');
  if (fields > 5) {
    throw refuse(
      '/schedule/cron',
      `has ${fields} fields; it needs five (minute, hour, day of month, month, day of week), without seconds.`,
      `有 ${fields} 个字段；需要五个（分、时、日、月、星期），不含秒。`,
    );
  }
  try {
    await readCron(schedule);
  } catch (thrown) {
    const reason = (thrown instanceof Error ? thrown.message.replace(/^CronPattern: /, '') : String(thrown)).slice(0, 300);
    throw refuse(
      '/schedule/cron',
      `cannot be read: ${reason}`,
      `无法读取，原因是“${reason}”；需要五个字段（分、时、日、月、星期），例如 0 8 * * 1-5。`,
    );
  }
}

function checkTimeZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    const name = JSON.stringify(timeZone.slice(0, 100));
    throw refuse(
      '/schedule/timeZone',
      `there is no time zone ${name}; use a name such as Europe/Berlin.`,
      `没有时区 ${name}；请使用 Europe/Berlin 这样的名称。`,
    );
  }
}

const refuse = (param: string, rule: string, ruleZh: string): AppError =>
  new AppError('invalid_request', { param, message: `${param}: ${rule}`, messageZh: `${param}: ${ruleZh}` });
