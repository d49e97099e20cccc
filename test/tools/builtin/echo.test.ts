import { echoTool } from '../../../src/tools/builtin/echo';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeAll(async () => {
  bench = await openToolBench();
});
afterAll(() => bench.close());

describe('echo (beaver.builtins)', () => {
  it('returns its text', async () => {
    expect((await bench.call(echoTool, { text: 'hello' })).content).toBe('hello');
  });
});
