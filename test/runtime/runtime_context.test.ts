import { renderRuntimeContext } from '../../src/runtime/runtime_context';

const now = Date.UTC(2026, 11, 31, 23, 5, 59, 999);

describe('the time in the prompt (beaver.runtime_context)', () => {
  it('gives UTC, local time and zone to the minute', () => {
    expect(renderRuntimeContext({ now, timeZone: 'Asia/Shanghai', locale: 'en' })).toBe(
      '# Time\n- UTC: 2026-12-31 23:05\n- Local: 2027-01-01 07:05 (Friday)\n- Zone: Asia/Shanghai (UTC+08:00)',
    );
  });

  it('is in Chinese for a Chinese session', () => {
    expect(renderRuntimeContext({ now, timeZone: 'America/New_York', locale: 'zh-CN' })).toBe(
      '# 时间\n- UTC: 2026-12-31 23:05\n- 本地: 2026-12-31 18:05 (星期四)\n- 时区: America/New_York (UTC-05:00)',
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
