import { calculatorTool } from '../../../src/tools/builtin/calculator';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeAll(async () => {
  bench = await openToolBench();
});
afterAll(() => bench.close());

describe('calculator (nanoclaw.data)', () => {
  it('returns the value, or the reason why there is none', async () => {
    expect(await bench.call(calculatorTool, { expression: '0.1+0.2' })).toMatchObject({ ok: true, content: '0.1+0.2 = 0.3' });
    expect((await bench.call(calculatorTool, { expression: '1/3' })).content).toMatch(/3 \(rounded\)$/);
    expect(await bench.call(calculatorTool, { expression: 'x' })).toMatchObject({
      ok: false,
      content: expect.stringContaining('not known'),
    });
    await expect(bench.call(calculatorTool, { expression: '1'.repeat(1_001) })).rejects.toThrow('1000');
  });
});
