import { CoalescedWork } from '../../../src/feature/mcp_client/coalesced_work';
import { createManualClock } from '../../support/manual_clock';

describe('work that is requested again and again', () => {
  it('runs less and less often, and soon again after a quiet minute', async () => {
    const clock = createManualClock();
    const runs: number[] = [];
    const work: CoalescedWork = new CoalescedWork(clock, 500, async () => {
      runs.push(clock.monotonic());
      if (runs.length < 10) work.request();
    });
    work.request();
    const pass = async (milliseconds: number) => {
      clock.advance(milliseconds);
      await new Promise(setImmediate);
    };
    for (let i = 0; i < 600; i++) await pass(500);
    const pauses = runs.map((at, i) => at - (runs[i - 1] ?? 0));
    expect(pauses.slice(0, 10)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
    const quietSince = clock.monotonic();
    work.request();
    await pass(500);
    expect(runs.at(-1)).toBe(quietSince + 500);
  });
});
