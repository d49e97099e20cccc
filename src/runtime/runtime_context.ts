/**
 * The time, as a model gets it. The prompt ends with the time at which the session began, and a later message carries its own, so the requests of a
 * session begin with the same bytes, however far apart its turns are.
 */
import type { ToolLocale } from '../tools/common';
import { promptTexts } from './prompt_guidance';

export interface RuntimeContext {
  /** Milliseconds since 1970, UTC. */
  now: number;
  /** IANA name, such as Asia/Shanghai; an unknown name counts as UTC. */
  timeZone: string;
  locale: ToolLocale;
}

/** A message that is sent so many milliseconds after its session began carries its own time. */
const SOON_MS = 60_000;

const MINUTE_MS = 60_000;

/** The text of the latest minute. Sessions that begin in one minute share this text, because formatting a time takes a tenth of a millisecond. */
let rendered: (Omit<RuntimeContext, 'now'> & { minute: number; text: string }) | undefined;

/** Renders UTC time, local time with the weekday, and the zone with its offset, to the minute. Pure. */
export function renderRuntimeContext(context: RuntimeContext): string {
  const { timeZone, locale } = context;
  const minute = Math.floor(context.now / MINUTE_MS);
  if (rendered?.minute !== minute || rendered.timeZone !== timeZone || rendered.locale !== locale)
    rendered = { timeZone, locale, minute, text: renderMinute(context) };
  return rendered.text;
}

function renderMinute(context: RuntimeContext): string {
  const { time } = promptTexts(context.locale);
  const { utc, local, zone } = timeTexts(context);
  return [time.title, time.intro, `- ${time.utc}: ${utc}`, `- ${time.local}: ${local}`, `- ${time.zone}: ${zone}`].join('\n');
}

/** Renders the time of a message on one line; undefined for a message sent soon after `sessionStart`, in milliseconds since 1970. Pure. */
export function renderSentTime(context: RuntimeContext, sessionStart: number): string | undefined {
  if (Math.abs(context.now - sessionStart) < SOON_MS) return undefined;
  const { time } = promptTexts(context.locale);
  const { utc, local, zone } = timeTexts(context);
  return `[${time.sent}: ${time.utc} ${utc}; ${time.local} ${local}; ${time.zone} ${zone}]`;
}

function timeTexts({ now, timeZone, locale }: RuntimeContext): { utc: string; local: string; zone: string } {
  const { zone, offset, year, month, day, hour, minute } = localTime(now, timeZone);
  const utc = new Date(now).toISOString();
  const weekday = promptTexts(locale).time.weekdays[new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()];
  return {
    utc: `${utc.slice(0, 10)} ${utc.slice(11, 16)}`,
    local: `${year}-${month}-${day} ${hour}:${minute} (${weekday})`,
    zone: `${zone} (UTC${offset})`,
  };
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
