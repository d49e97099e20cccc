import { fileMkdirTool } from '../../../src/tools/builtin/file_mkdir';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

describe('file_mkdir (nanoclaw.file)', () => {
  it('creates a directory once, with its parents', async () => {
    expect((await bench.call(fileMkdirTool, { path: 'x/y' })).details).toEqual({ path: 'x/y', created: true });
    expect((await bench.call(fileMkdirTool, { path: 'x/y' })).details).toEqual({ path: 'x/y', created: false });
  });

  it('refuses a path where a file is, and the hooks of git', async () => {
    await bench.put('x/f', '1');
    expect(await bench.call(fileMkdirTool, { path: 'x/f' })).toMatchObject({ ok: false });
    expect(await bench.call(fileMkdirTool, { path: '.git/hooks' })).toMatchObject({ details: { code: 'protected' } });
  });
});
