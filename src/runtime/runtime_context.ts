/** The only part of the prompt that changes from turn to turn: the time. */
import type { ToolLocale } from '../tools/common';
import { promptTexts } from './prompt_guidance';

export interface RuntimeContext {
  /** Milliseconds since 1970, UTC. */
  now: number;
  /** IANA name, such as Asia/Shanghai; an unknown name counts as UTC. */
  timeZone: string;
  locale: ToolLocale;
}

/** Renders UTC time, local time with the weekday, and the zone with its offset, to the minute. Pure. */
export function renderRuntimeContext({ now, timeZone, locale }: RuntimeContext): string {
  const { time } = promptTexts(locale);
  const { zone, offset, year, month, day, hour, minute } = localTime(now, timeZone);
  const utc = new Date(now).toISOString();
  const weekday = time.weekdays[new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()];
  return [
    time.title,
    `- ${time.utc}: ${utc.slice(0, 10)} ${utc.slice(11, 16)}`,
    `- ${time.local}: ${year}-${month}-${day} ${hour}:${minute} (${weekday})`,
    `- ${time.zone}: ${zone} (UTC${offset})`,
  ].join('\n');
}

function localTime(now: number, timeZone: string) {
  const format = zoneFormat(timeZone);
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const part of format.formatToParts(now)) parts[part.type] = part.value;
  const { year, month, day, hour, minute, timeZoneName = 'GMT' } = parts;
  return { zone: format.resolvedOptions().timeZone, offset: timeZoneName.slice('GMT'.length) || '+00:00', year, month, day, hour, minute };
}

/** The formatter of the zone that was asked for last. Creating one takes a quarter of a millisecond, and a gateway has one zone. */
let latest: { timeZone: string; format: Intl.DateTimeFormat } | undefined;

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  if (latest?.timeZone !== timeZone) latest = { timeZone, format: newZoneFormat(timeZone) };
  return latest.format;
}

function newZoneFormat(timeZone: string): Intl.DateTimeFormat {
  const shape = { hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('en', { ...shape, timeZoneName: 'longOffset', timeZone });
  } catch {
    return new Intl.DateTimeFormat('en', { ...shape, timeZoneName: 'longOffset', timeZone: 'UTC' });
  }
}
