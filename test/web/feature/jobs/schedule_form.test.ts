import {
  type DayChoice,
  defaultFields,
  readDaily,
  type ScheduleFields,
  toFields,
  toSchedule,
} from '../../../../web/src/feature/jobs/schedule_form';

const FALLBACK = defaultFields('Europe/Berlin', new Date('2026-03-01T08:00:00Z'));
const fields = (change: Partial<ScheduleFields>): ScheduleFields => ({ ...FALLBACK, ...change });

describe('the form of a schedule', () => {
  it.each<[Partial<ScheduleFields>, object]>([
    [
      { kind: 'daily', time: '07:05', days: '1-5' },
      { cron: '5 7 * * 1-5', timeZone: 'Europe/Berlin' },
    ],
    [{ kind: 'interval', every: '90', unit: 'minutes' }, { everyMs: 5_400_000 }],
    [{ kind: 'interval', every: '2', unit: 'hours' }, { everyMs: 7_200_000 }],
    [
      { kind: 'cron', cron: ' */5 * * * * ', timeZone: 'Asia/Shanghai' },
      { cron: '*/5 * * * *', timeZone: 'Asia/Shanghai' },
    ],
    [{ kind: 'once', at: 'nonsense' }, { at: 'nonsense' }],
  ])('sends %j as a schedule', (change, schedule) => expect(toSchedule(fields(change))).toEqual(schedule));

  it.each([
    { cron: '5 7 * * 1-5', timeZone: 'Asia/Shanghai' },
    { cron: '0 0 * * 0', timeZone: 'UTC' },
    { cron: '*/5 9-17 1,15 * *', timeZone: 'UTC' },
    { everyMs: 5_400_000 },
    { everyMs: 86_400_000 },
    { at: '2026-11-05T06:30:00.000Z' },
  ])('opens %j and sends the same again', schedule => expect(toSchedule(toFields(schedule, FALLBACK))).toEqual(schedule));

  it('reads a daily time only from an expression that has a choice for it', () => {
    const choice = (cron: string): [string, DayChoice] | undefined => {
      const daily = readDaily(cron);
      return daily && [daily.time, daily.days];
    };
    expect(choice('5 7 * * *')).toEqual(['07:05', '*']);
    expect(choice('5 7 * * 7')).toEqual(['07:05', '0']);
    for (const other of ['5 7 1 * *', '*/5 7 * * *', '5 7 * * 1,3', '60 7 * * *', '5 24 * * *', '5 7 * *', '']) {
      expect(choice(other)).toBeUndefined();
    }
  });
});
