import { currentTimeTool } from '../../../src/tools/builtin/current_time';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeAll(async () => {
  bench = await openToolBench();
});
afterAll(() => bench.close());

describe('current_time (beaver.builtins)', () => {
  it('gives the time in UTC and in another zone, and refuses an unknown zone', async () => {
    const ctx = { clock: { now: () => Date.UTC(2026, 0, 31, 20, 5, 9) } };
    const { content, details } = await bench.call(currentTimeTool, { time_zone: 'Asia/Shanghai' }, ctx);
    expect(details).toMatchObject({ utc: '2026-01-31T20:05:09.000Z', timeZone: 'Asia/Shanghai' });
    expect(content).toMatch(/Sunday.*February 1, 2026.*04:05:09/);
    expect(await bench.call(currentTimeTool, { time_zone: 'Mars/Base' }, ctx)).toMatchObject({ ok: false });
  });
});
