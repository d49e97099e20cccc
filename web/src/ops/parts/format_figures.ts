import type { Locale } from '../../platform/preferences';

/** Large numbers in short, such as "12.4K". */
export function formatShort(count: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}

/** A share from 0 to 1 as a percentage. */
export function formatShare(share: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

/** An age in whole seconds, or in minutes from two minutes on. */
export function formatAge(ms: number, locale: Locale): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [value, unit] = seconds < 120 ? [seconds, 'second'] : [Math.floor(seconds / 60), 'minute'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** The time of day. */
export function formatTime(at: string | number, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(at));
}

/** The time of day to the millisecond. */
export function formatExactTime(at: string, locale: Locale): string {
  const options = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat(locale, options).format(new Date(at));
}
