import { partsOf, spanOf } from '../../../../src/feature/ops/figures/history_parts';
import { peaksOf } from '../../../../src/feature/ops/figures/peaks';
import type { OpsRunRow } from '../../../../src/feature/ops/store/ops_records';

const SPAN = { from: 100, to: 140, partMs: 10 };

test('a part has as many as its busiest moment, also of periods that began before it', () => {
  const periods = [
    { from: 50, to: 105 },
    { from: 101, to: 125 },
    { from: 105, to: 106 },
    { from: 121, to: 122 },
    { from: 130, to: 130 },
    { from: 20, to: 90 },
  ];
  expect(peaksOf(SPAN, periods)).toEqual([2, 1, 2, 0]);
  expect(peaksOf(SPAN, [])).toEqual([0, 0, 0, 0]);
});

test('runs that go through the queue at once do not count as queued; open periods last until now', () => {
  const now = 3_600_000;
  const span = spanOf(now, 1);
  const run = (createdAt: number, startedAt?: number) => ({ status: 'running', createdAt, startedAt }) as OpsRunRow;
  const minute = (parts: ReturnType<typeof partsOf>, at: number) => parts.find(part => Date.parse(part.at) === at);
  const records = {
    runs: [run(now - 110_000), run(now - 119_000, now - 65_000), run(now - 115_000, now - 114_900)],
    questions: [{ createdAt: now - 70_000, endsAt: now + 900_000 }],
  };
  const parts = partsOf(span, records, now);
  expect(minute(parts, now - 120_000)).toMatchObject({ queued: 2, waiting: 1 });
  expect(minute(parts, now - 60_000)).toMatchObject({ queued: 1, waiting: 1 });
  expect(minute(parts, now - 180_000)).toMatchObject({ queued: 0, waiting: 0 });
  expect(minute(parts, now)).toMatchObject({ queued: 0, waiting: 0 });
});
