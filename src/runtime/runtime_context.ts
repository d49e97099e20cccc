/** The one part of the prompt that changes from turn to turn: what time it is. */
import type { ToolLocale } from '../tools/common';
import { promptTexts } from './prompt_guidance';

export interface RuntimeContext {
  /** Milliseconds since 1970, UTC. */
  now: number;
  /** IANA name, such as Asia/Shanghai; an unknown name counts as UTC. */
  timeZone: string;
  locale: ToolLocale;
}

/** UTC time, local time with the day of the week, and the zone with its offset, to the minute. Pure. */
export function renderRuntimeContext({ now, timeZone, locale }: RuntimeContext): string {
  const { time } = promptTexts(locale);
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
  const utc = new Date(now).toISOString();
  const local = partsOf(now, zone, locale);
  return [
    time.title,
    `- ${time.utc}: ${utc.slice(0, 10)} ${utc.slice(11, 16)}`,
    `- ${time.local}: ${local.year}-${local.month}-${local.day} ${local.hour}:${local.minute} (${local.weekday})`,
    `- ${time.zone}: ${zone} (${local.timeZoneName === 'GMT' ? 'UTC+00:00' : local.timeZoneName?.replace('GMT', 'UTC')})`,
  ].join('\n');
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

type DateParts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>;

function partsOf(now: number, timeZone: string, locale: ToolLocale): DateParts {
  const shape = {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  const parts: DateParts = {};
  for (const part of new Intl.DateTimeFormat('en', { ...shape, timeZoneName: 'longOffset' }).formatToParts(now))
    parts[part.type] = part.value;
  parts.weekday = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'long' }).format(now);
  return parts;
}
