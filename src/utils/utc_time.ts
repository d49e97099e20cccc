const UTC_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z)?$/;

/**
 * Returns the milliseconds since 1970 of `2026-01-31T08:00:00Z`, or of a day alone; undefined for a time that does not exist. `Date.parse` makes
 * the third of March of the 31st of February.
 */
export function parseUtcTime(text: string): number | undefined {
  const [, year, month, day] = UTC_TIME.exec(text) ?? [];
  const time = Date.parse(text);
  if (day === undefined || Number.isNaN(time)) return undefined;
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) <= lastDay ? time : undefined;
}
