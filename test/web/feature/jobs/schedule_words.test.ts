import { describeSchedule } from '../../../../web/src/feature/jobs/schedule_words';

describe('a schedule in words', () => {
  it.each([
    [{ cron: '0 8 * * *' }, 'Every day at 08:00', '每天 08:00'],
    [{ cron: '30 18 * * 1-5', timeZone: 'UTC' }, 'Monday to Friday at 18:30', '周一至周五 18:30'],
    [{ cron: '0 9 * * 0' }, 'Every Sunday at 09:00', '每周日 09:00'],
    [{ cron: '*/15 * * * *' }, 'Every 15 minutes', '每隔 15 分钟'],
    [{ everyMs: 60_000 }, 'Every minute', '每分钟'],
    [{ everyMs: 5_400_000 }, 'Every 90 minutes', '每 90 分钟'],
    [{ everyMs: 7_200_000 }, 'Every 2 hours', '每 2 小时'],
    [{ everyMs: 172_800_000 }, 'Every 2 days', '每 2 天'],
    [{ everyMs: 90_500 }, 'Every 91 seconds', '每 91 秒'],
    [{ cron: 'not a cron' }, 'not a cron', 'not a cron'],
  ])('of %j', (schedule, en, zh) => {
    expect([describeSchedule(schedule, 'en'), describeSchedule(schedule, 'zh-CN')]).toEqual([en, zh]);
  });

  it('names the time of a job that runs once', () => {
    expect(describeSchedule({ at: '2026-11-05T06:30:00.000Z' }, 'en')).toMatch(/^Once, .*2026/);
    expect(describeSchedule({ at: '2026-11-05T06:30:00.000Z' }, 'zh-CN')).toMatch(/^一次，2026/);
  });
});
