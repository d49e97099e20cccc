/** Groups the chats of the list by day, as people look for them. Pure. */
import type { SessionSummary } from '../../api/rest_types';
import type { Locale } from '../../platform/preferences';

export type DayGroup = 'today' | 'yesterday' | 'week';

export interface SessionGroup {
  /** A day group, or the month as `2026-11`. */
  key: string;
  /** The words for a month; absent for a day group. */
  month?: string;
  sessions: readonly SessionSummary[];
}

const DAYS_OF_WEEK = 7;

/** Groups sessions, which come newest first: today, yesterday, the last seven days, then each month. Days are those of the browser. */
export function groupByDay(sessions: readonly SessionSummary[], now: Date, locale: Locale): SessionGroup[] {
  const groups = new Map<string, SessionSummary[]>();
  for (const session of sessions) {
    const key = keyOf(new Date(session.updatedAt), now);
    groups.set(key, [...(groups.get(key) ?? []), session]);
  }
  return [...groups].map(([key, found]) => ({ key, month: key.includes('-') ? monthOf(key, now, locale) : undefined, sessions: found }));
}

function keyOf(when: Date, now: Date): string {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const daysAgo = (days: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - days);
  if (when >= today) return 'today';
  if (when >= daysAgo(1)) return 'yesterday';
  if (when >= daysAgo(DAYS_OF_WEEK)) return 'week';
  return `${when.getFullYear()}-${when.getMonth() + 1}`;
}

function monthOf(key: string, now: Date, locale: Locale): string {
  const [year = 0, month = 1] = key.split('-').map(Number);
  const options = { month: 'long', year: year === now.getFullYear() ? undefined : 'numeric' } as const;
  return new Intl.DateTimeFormat(locale, options).format(new Date(year, month - 1));
}
