/** Converts between the schedule of a job and the fields of its form. Pure. */
import type { JobSchedule } from './job_types';

export const SCHEDULE_KINDS = ['daily', 'interval', 'once', 'cron'] as const;
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number];

/** Days of the week in cron's form: every day, Monday to Friday, or one day (0 is Sunday). */
export const DAY_CHOICES = ['*', '1-5', '1', '2', '3', '4', '5', '6', '0'] as const;
export type DayChoice = (typeof DAY_CHOICES)[number];

export interface ScheduleFields {
  kind: ScheduleKind;
  /** "08:00" */
  time: string;
  days: DayChoice;
  every: string;
  unit: 'minutes' | 'hours';
  /** Local time of the browser, "2026-03-01T08:00". */
  at: string;
  cron: string;
  timeZone: string;
}

const UNIT_MS = { minutes: 60_000, hours: 3_600_000 } as const;
const DAILY = /^(\d{1,2}) (\d{1,2}) \* \* (\S+)$/;

export function defaultFields(timeZone: string, now: Date): ScheduleFields {
  const inAnHour = new Date(now.getTime() + UNIT_MS.hours);
  return { kind: 'daily', time: '08:00', days: '*', every: '30', unit: 'minutes', at: toLocal(inAnHour), cron: '0 8 * * 1-5', timeZone };
}

export function toFields(schedule: JobSchedule, fallback: ScheduleFields): ScheduleFields {
  if ('at' in schedule) return { ...fallback, kind: 'once', at: toLocal(new Date(schedule.at)) };
  if ('everyMs' in schedule) {
    const unit = schedule.everyMs % UNIT_MS.hours === 0 ? 'hours' : 'minutes';
    return { ...fallback, kind: 'interval', every: String(schedule.everyMs / UNIT_MS[unit]), unit };
  }
  const { cron, timeZone = fallback.timeZone } = schedule;
  const daily = readDaily(cron);
  return { ...fallback, kind: daily ? 'daily' : 'cron', ...daily, cron, timeZone };
}

/** Values that are not valid are sent as they are, because the gateway says which field is wrong and why. */
export function toSchedule(fields: ScheduleFields): JobSchedule {
  const { kind, time, days, every, unit, at, cron, timeZone } = fields;
  switch (kind) {
    case 'daily': {
      const [hour, minute] = time.split(':').map(Number);
      return { cron: `${minute} ${hour} * * ${days}`, timeZone };
    }
    case 'interval':
      return { everyMs: Math.round(Number(every) * UNIT_MS[unit]) };
    case 'once': {
      const when = new Date(at);
      return { at: Number.isNaN(when.getTime()) ? at : when.toISOString() };
    }
    case 'cron':
      return { cron: cron.trim(), timeZone };
  }
}

/** Reads a cron expression that names one time of the day and days of the form. */
export function readDaily(cron: string): { time: string; days: DayChoice } | undefined {
  const [, minute, hour, days] = DAILY.exec(cron.trim()) ?? [];
  const choice = DAY_CHOICES.find(each => each === (days === '7' ? '0' : days));
  if (minute === undefined || hour === undefined || !choice || Number(minute) > 59 || Number(hour) > 23) return undefined;
  return { time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, days: choice };
}

function toLocal(when: Date): string {
  const local = new Date(when.getTime() - when.getTimezoneOffset() * UNIT_MS.minutes);
  return local.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}
