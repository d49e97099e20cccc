/** Rules of time zones without a name, as TZ and the end of a file of zoneinfo write them: `CST-8`, `EST5EDT,M3.2.0,M11.1.0`. */

/** A time in milliseconds since 1970, and the minutes east of UTC at that time. */
export type ZoneSample = readonly [time: number, offset: number];

const HOUR_MS = 3_600_000;
const NAME = '(?:<[\\w+-]{3,}>|[A-Za-z]{3,})';
const TIME = '[+-]?\\d{1,3}(?::\\d{2}){0,2}';
const RULE = new RegExp(`^${NAME}(${TIME})(?:${NAME}(${TIME})?(?:,(.+))?)?$`);
const HAS_SUMMER = new RegExp(`^${NAME}${TIME}${NAME}`);
const CHANGE = new RegExp(`^M(\\d{1,2})\\.([1-5])\\.([0-6])(?:/(${TIME}))?$`);
/** The rule of the C library for a text that names a summer time without its dates. */
const USUAL_CHANGES = 'M3.2.0,M11.1.0';
const MAX_OFFSET = 24 * 60;

/**
 * Returns times of this year with the offset that the rule gives them: one in summer and one in winter, or one before and one after each change.
 * Undefined for another text. In such a rule `CST-8` lies EAST of UTC.
 */
export function samplesOfRule(text: string, now: number): ZoneSample[] | undefined {
  const [, standardText, summerText, changes = USUAL_CHANGES] = RULE.exec(text) ?? [];
  if (standardText === undefined) return undefined;
  const standard = -toMinutes(standardText);
  const summer = summerText === undefined ? standard + 60 : -toMinutes(summerText);
  if (Math.max(Math.abs(standard), Math.abs(summer)) > MAX_OFFSET) return undefined;
  const year = new Date(now).getUTCFullYear();
  if (!HAS_SUMMER.test(text)) return samplesOfOffset(standard, now);
  const [start, end, ...more] = changes.split(',').map(change => changeTime(change, year));
  if (start === undefined || end === undefined || more.length > 0) return undefined;
  const [toSummer, toStandard] = [start - standard * 60_000, end - summer * 60_000];
  return [
    [toSummer - HOUR_MS, standard],
    [toSummer + HOUR_MS, summer],
    [toStandard - HOUR_MS, summer],
    [toStandard + HOUR_MS, standard],
  ];
}

export function samplesOfOffset(offset: number, now: number): ZoneSample[] {
  const year = new Date(now).getUTCFullYear();
  return [
    [Date.UTC(year, 5, 1), offset],
    [Date.UTC(year, 11, 1), offset],
  ];
}

/** Minutes of `8`, `-5:30` or `+01:00:00`. */
function toMinutes(text: string): number {
  const [hours = 0, minutes = 0] = text.replace(/^[+-]/, '').split(':').map(Number);
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** The local time of a change such as M3.2.0/3 (the second Sunday of March at three), as if local time were UTC. */
function changeTime(text: string, year: number): number | undefined {
  const [, month, week, weekday, time = '2'] = CHANGE.exec(text) ?? [];
  if (month === undefined) return undefined;
  const first = new Date(Date.UTC(year, Number(month) - 1, 1)).getUTCDay();
  const day = 1 + ((Number(weekday) - first + 7) % 7) + (Number(week) - 1) * 7;
  const lastDay = new Date(Date.UTC(year, Number(month), 0)).getUTCDate();
  return Date.UTC(year, Number(month) - 1, day > lastDay ? day - 7 : day) + toMinutes(time) * 60_000;
}
