import { renderRuntimeContext, renderSentTime } from '../../src/runtime/runtime_context';

const now = Date.UTC(2026, 11, 31, 23, 5, 59, 999);

describe('the time in the prompt (beaver.runtime_context)', () => {
  it('gives UTC, local time and zone to the minute', () => {
    expect(renderRuntimeContext({ now, timeZone: 'Asia/Shanghai', locale: 'en' })).toBe(
      '# Time\nThis conversation began at the time below. A message that was sent later begins with its own time; the newest one counts as now.\n- UTC: 2026-12-31 23:05\n- Local: 2027-01-01 07:05 (Friday)\n- Zone: Asia/Shanghai (UTC+08:00)',
    );
  });

  it('is in Chinese for a Chinese session', () => {
    expect(renderRuntimeContext({ now, timeZone: 'America/New_York', locale: 'zh-CN' })).toBe(
      '# 时间\n下面是本次对话开始的时间。之后发来的消息以自己的时间开头；最新的那个时间就是现在。\n- UTC: 2026-12-31 23:05\n- 本地: 2026-12-31 18:05 (星期四)\n- 时区: America/New_York (UTC-05:00)',
    );
  });

  it('writes midnight as 00 and follows daylight saving time', () => {
    const midnight = Date.UTC(2026, 6, 1, 22, 0);
    expect(renderRuntimeContext({ now: midnight, timeZone: 'Europe/Berlin', locale: 'en' })).toContain(
      '2026-07-02 00:00 (Thursday)\n- Zone: Europe/Berlin (UTC+02:00)',
    );
  });

  it('uses UTC for an unknown zone', () => {
    expect(renderRuntimeContext({ now, timeZone: 'Moon/Base', locale: 'en' })).toContain('Zone: UTC (UTC+00:00)');
  });

  it('does not change within a minute', () => {
    const at = (milliseconds: number) => renderRuntimeContext({ now: milliseconds, timeZone: 'UTC', locale: 'en' });
    expect(at(Date.UTC(2026, 0, 1, 8, 0, 0))).toBe(at(Date.UTC(2026, 0, 1, 8, 0, 59)));
  });
});

describe('the time of a message (beaver.runtime_context)', () => {
  it('stands on one line, with UTC, local time and zone', () => {
    expect(renderSentTime({ now, timeZone: 'Asia/Shanghai', locale: 'en' }, now - 3_600_000)).toBe(
      '[Sent: UTC 2026-12-31 23:05; Local 2027-01-01 07:05 (Friday); Zone Asia/Shanghai (UTC+08:00)]',
    );
    expect(renderSentTime({ now, timeZone: 'UTC', locale: 'zh-CN' }, now - 3_600_000)).toBe(
      '[发送时间: UTC 2026-12-31 23:05; 本地 2026-12-31 23:05 (星期四); 时区 UTC (UTC+00:00)]',
    );
  });

  it('is left out within a minute of the time in the prompt', () => {
    const sent = (sessionStart: number) => renderSentTime({ now, timeZone: 'UTC', locale: 'en' }, sessionStart);
    expect([sent(now), sent(now - 59_999)]).toEqual([undefined, undefined]);
    expect(sent(now - 60_000)).toBeDefined();
  });
});
