/** Says a schedule in words. */
import cronstrue from 'cronstrue';
import 'cronstrue/locales/zh_CN';
import { formatMinute } from '../../i18n/format';
import type { Locale } from '../../platform/preferences';
import { type JobTexts, jobTexts } from './job_texts';
import type { JobSchedule } from './job_types';
import { readDaily } from './schedule_form';

const CRONSTRUE_LOCALES: Record<Locale, string> = { en: 'en', 'zh-CN': 'zh_CN' };
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Returns for example "Every day at 08:00". An expression that has no words stands as it is. */
export function describeSchedule(schedule: JobSchedule, locale: Locale): string {
  const texts: JobTexts = jobTexts[locale];
  if ('at' in schedule) return texts.onceAt(formatMinute(schedule.at, locale));
  if ('everyMs' in schedule) return describeInterval(schedule.everyMs, texts);
  const daily = readDaily(schedule.cron);
  if (!daily) return describeCron(schedule.cron, locale);
  return [texts.days[daily.days], locale === 'en' && 'at', daily.time].filter(Boolean).join(' ');
}

function describeInterval(ms: number, texts: JobTexts): string {
  if (ms % DAY_MS === 0) return texts.everyDays(ms / DAY_MS);
  if (ms % HOUR_MS === 0) return texts.everyHours(ms / HOUR_MS);
  if (ms % MINUTE_MS === 0) return texts.everyMinutes(ms / MINUTE_MS);
  return texts.everySeconds(Math.round(ms / SECOND_MS));
}

function describeCron(cron: string, locale: Locale): string {
  try {
    return cronstrue.toString(cron, { locale: CRONSTRUE_LOCALES[locale], use24HourTimeFormat: true });
  } catch {
    return cron;
  }
}
