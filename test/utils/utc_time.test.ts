import { parseUtcTime } from '../../src/utils/utc_time';

it.each([
  ['2026-01-31T08:00:00Z', Date.UTC(2026, 0, 31, 8)],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['2026-12-31T23:59:59.999Z', Date.UTC(2026, 11, 31, 23, 59, 59, 999)],
  ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
])('reads %s', (text, time) => {
  expect(parseUtcTime(text)).toBe(time);
});

it.each(['2026-02-31', '2026-02-29T00:00:00Z', '2026-04-31T00:00:00Z', '2026-13-01', '2026-01-01T25:00:00Z', '2026-01-01T:.Z', '1', ''])(
  'refuses %j',
  text => {
    expect(parseUtcTime(text)).toBeUndefined();
  },
);
