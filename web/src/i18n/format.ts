import type { Locale } from '../platform/preferences';

const DAY_MS = 86_400_000;

/** A point in time in its shortest clear form: the time today, the weekday this week, else the date. */
export function formatWhen(iso: string, now: Date, locale: Locale): string {
  const when = new Date(iso);
  if (Number.isNaN(when.getTime())) return '';
  if (when.toDateString() === now.toDateString()) return format(when, locale, { hour: '2-digit', minute: '2-digit' });
  if (now.getTime() - when.getTime() < 6 * DAY_MS) return format(when, locale, { weekday: 'short' });
  const year = when.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return format(when, locale, { month: 'short', day: 'numeric', ...year });
}

/** Formats the distance of a point in time in the largest unit that fits: "3 days ago", "in 2 hours". */
export function formatRelative(iso: string, now: Date, locale: Locale): string {
  const ms = Date.parse(iso) - now.getTime();
  if (Number.isNaN(ms)) return '';
  const [unit, length] = RELATIVE_UNITS.find(([, size]) => Math.abs(ms) >= size) ?? ['second', Number.POSITIVE_INFINITY];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(ms / length), unit);
}

const RELATIVE_UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', DAY_MS / 24],
  ['minute', DAY_MS / 1440],
];

/** Date and time to the second, in the time zone of the browser. */
export function formatExact(iso: string, locale: Locale): string {
  const when = new Date(iso);
  return Number.isNaN(when.getTime()) ? '' : format(when, locale, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** Date and time to the minute, in the time zone of the browser. */
export function formatMinute(iso: string, locale: Locale): string {
  const when = new Date(iso);
  return Number.isNaN(when.getTime()) ? '' : format(when, locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Milliseconds in the language of the page: "320 ms", "4.2 s", "2 min 5 s". `digits`: of seconds. */
export function formatDuration(ms: number, locale: Locale, digits = 1): string {
  const units = locale === 'zh-CN' ? ['毫秒', '秒', '分'] : ['ms', 's', 'min'];
  if (ms < 1000 && digits > 0) return `${Math.round(ms)} ${units[0]}`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(digits)} ${units[1]}`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} ${units[2]} ${seconds % 60} ${units[1]}`;
}

/** Milliseconds as a countdown, "4:05". Rounded, since two clocks never agree to the millisecond: 300,040 ms is five minutes. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function formatCount(count: number, locale: Locale): string {
  return new Intl.NumberFormat(locale).format(count);
}

/** Formats US dollars: below one dollar with two significant digits, otherwise with cents. */
export function formatCost(usd: number, locale: Locale): string {
  const digits = usd > 0 && usd < 1 ? { minimumSignificantDigits: 2, maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', ...digits }).format(usd);
}

/** Bytes as "1.2 GB", in powers of 1,000. */
export function formatBytes(bytes: number, locale: Locale): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const [unitDisplay, maximumFractionDigits] = [power === 0 ? 'long' : 'short', power < 2 ? 0 : 1] as const;
  const options = { style: 'unit', unit: units[power] ?? 'byte', unitDisplay, maximumFractionDigits } as const;
  return new Intl.NumberFormat(locale, options).format(bytes / 1000 ** power);
}

function format(when: Date, locale: Locale, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, { hourCycle: 'h23', ...options }).format(when);
}
