import { listJobArguments } from '../../../../web/src/feature/jobs/job_arguments';

const textOf = (args: unknown, locale: 'en' | 'zh-CN' = 'en') => listJobArguments(args, locale).map(({ name, text }) => `${name}: ${text}`);

describe('the arguments of a job that needs approval', () => {
  const job = { action: 'create', name: 'News', schedule: { cron: '0 8 * * *', timeZone: 'Europe/Berlin' }, input: 'Read the news' };

  it('are said in words, in the language of the page', () => {
    expect(textOf(job)).toEqual([
      'Action: Create a job',
      'Name: News',
      'When: Every day at 08:00 · Europe/Berlin',
      'What to do: Read the news',
    ]);
    expect(textOf({ ...job, schedule: { cron: '0 8 * * *' } }, 'zh-CN')).toEqual([
      '操作: 新建定时任务',
      '名称: News',
      '时间: 每天 08:00 · 网关所在时区',
      '要做什么: Read the news',
    ]);
    const [when] = listJobArguments({ schedule: { cron: '0 8 * * *' } }, 'en', 'Asia/Shanghai');
    expect(when?.text).toBe('Every day at 08:00 · Asia/Shanghai, the time zone of the gateway');
  });

  it('name the expression when a library makes the words, and spell out hidden characters', () => {
    expect(textOf({ schedule: { cron: '*/5 9 * * *', timeZone: 'U\u200bTC' } })[0]).toMatch(
      /^When: .+ \(\*\/5 9 \* \* \*\) · U\\u\{200b\}TC$/,
    );
  });

  it.each([
    { cron: '0 8 * * *', everyMs: 60_000 },
    { cron: '0 8 * * *', more: 1 },
    { everyMs: 60_000, timeZone: 'UTC' },
    { at: 'soon' },
    'daily',
  ])('stay as they are when they are no schedule: %j', schedule => {
    const [row] = listJobArguments({ schedule, other: 1 }, 'en');
    expect(row?.form).not.toBe('words');
    expect(row?.text).toBe(typeof schedule === 'string' ? schedule : JSON.stringify(schedule, null, 2));
  });

  it('keep the names of unknown arguments', () => {
    expect(textOf({ constructor: 'x', action: 'toString' })).toEqual(['constructor: x', 'Action: toString']);
  });
});
