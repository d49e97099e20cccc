import fc from 'fast-check';
import { nextDueTime } from '../../../src/feature/jobs/due_times';
import type { JobSchedule } from '../../../src/feature/jobs/store/job_records';

/** The next `count` due times after `from`, as UTC. */
async function dueAfter(schedule: JobSchedule, from: string, count: number, createdAt = 0): Promise<string[]> {
  const times: string[] = [];
  let after = Date.parse(from);
  while (times.length < count) {
    const next = await nextDueTime({ schedule, createdAt }, after);
    if (next === undefined) break;
    times.push(new Date(next).toISOString().replace(':00.000Z', 'Z'));
    after = next;
  }
  return times;
}

const cron = (expression: string, timeZone: string): JobSchedule => ({ cron: expression, timeZone });

describe('cron on the nights when the clock changes', () => {
  // Berlin: 29 March 2026 02:00 becomes 03:00; 25 October 2026 03:00 becomes 02:00. New York: 8 March and 1 November, at 02:00.
  it.each([
    [
      'a skipped time of day is due once, after the gap',
      'Europe/Berlin',
      '30 2 * * *',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00Z', '2026-03-30T00:30Z'],
    ],
    [
      'a skipped time in a list of hours too',
      'Europe/Berlin',
      '30 2,14 * * *',
      '2026-03-28T14:00Z',
      ['2026-03-29T01:00Z', '2026-03-29T12:30Z'],
    ],
    ['a repeated time of day is due once', 'Europe/Berlin', '30 2 * * *', '2026-10-24T12:00Z', ['2026-10-25T00:30Z', '2026-10-26T01:30Z']],
    [
      'every half hour has no gap in spring',
      'Europe/Berlin',
      '*/30 * * * *',
      '2026-03-29T00:15Z',
      ['2026-03-29T00:30Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z'],
    ],
    [
      'every half hour has no gap in autumn',
      'Europe/Berlin',
      '*/30 * * * *',
      '2026-10-25T00:15Z',
      ['2026-10-25T00:30Z', '2026-10-25T01:00Z', '2026-10-25T01:30Z', '2026-10-25T02:00Z'],
    ],
    [
      'a skipped time of day is due once, after the gap',
      'America/New_York',
      '30 2 * * *',
      '2026-03-07T12:00Z',
      ['2026-03-08T07:00Z', '2026-03-09T06:30Z'],
    ],
    [
      'a repeated time of day is due once',
      'America/New_York',
      '30 1 * * *',
      '2026-10-31T12:00Z',
      ['2026-11-01T05:30Z', '2026-11-02T06:30Z'],
    ],
    [
      'every hour has no gap in autumn',
      'America/New_York',
      '0 * * * *',
      '2026-11-01T04:30Z',
      ['2026-11-01T05:00Z', '2026-11-01T06:00Z', '2026-11-01T07:00Z'],
    ],
  ])('%s: %s, %s', async (_case, timeZone, expression, from, expected) => {
    expect(await dueAfter(cron(expression, timeZone), from, expected.length)).toEqual(expected);
  });
});

it('finds the ends of months and leap days', async () => {
  expect(await dueAfter(cron('0 9 31 * *', 'UTC'), '2026-01-31T12:00Z', 3)).toEqual([
    '2026-03-31T09:00Z',
    '2026-05-31T09:00Z',
    '2026-07-31T09:00Z',
  ]);
  expect(await dueAfter(cron('0 9 L * *', 'UTC'), '2027-12-31T12:00Z', 2)).toEqual(['2028-01-31T09:00Z', '2028-02-29T09:00Z']);
  expect(await dueAfter(cron('0 0 29 2 *', 'UTC'), '2026-01-01T00:00Z', 2)).toEqual(['2028-02-29T00:00Z', '2032-02-29T00:00Z']);
});

it('counts intervals from the creation of the job, whatever passed in between', async () => {
  const schedule = { everyMs: 90_000 };
  const createdAt = Date.parse('2026-01-01T00:00:10Z');
  const next = (after: string) => nextDueTime({ schedule, createdAt }, Date.parse(after));
  expect(await next('2026-01-01T00:00:10Z')).toBe(createdAt + 90_000);
  expect(await next('2026-01-01T00:01:40Z')).toBe(createdAt + 180_000);
  expect(await next('2026-02-01T00:00:00Z')).toBe(createdAt + 90_000 * Math.ceil((31 * 86_400_000 - 10_000) / 90_000));
  // The clock was set back.
  expect(await next('2025-12-31T00:00:00Z')).toBe(createdAt + 90_000);
});

it('is due once at a single time', async () => {
  const at = Date.parse('2026-05-01T08:00:00Z');
  expect(await nextDueTime({ schedule: { at }, createdAt: 0 }, at - 1)).toBe(at);
  expect(await nextDueTime({ schedule: { at }, createdAt: 0 }, at)).toBeUndefined();
});

it('always lies after the given time, and nothing lies in between', async () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Shanghai', 'Australia/Lord_Howe');
  const expressions = fc.constantFrom('30 2 * * *', '*/20 * * * *', '0 1-3 * * *', '15,45 2 * 3,10 0', '0 0 1 * *');
  const times = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-01-01') });
  await fc.assert(
    fc.asyncProperty(expressions, zones, times, async (expression, timeZone, after) => {
      const job = { schedule: cron(expression, timeZone), createdAt: 0 };
      const next = (await nextDueTime(job, after)) ?? 0;
      expect(next).toBeGreaterThan(after);
      expect(next % 60_000).toBe(0);
      const between = after + Math.floor((next - after) / 2);
      if (between > after) expect(await nextDueTime(job, between)).toBe(next);
    }),
    { numRuns: 200 },
  );
});
