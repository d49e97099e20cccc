import { fileExistsTool } from '../../../src/tools/builtin/file_exists';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

describe('file_exists (nanoclaw.file)', () => {
  it('tells files, directories and missing paths apart', async () => {
    await bench.put('x/f', '1');
    const detailsOf = async (path: string) => (await bench.call(fileExistsTool, { path })).details;
    expect(await detailsOf('x')).toMatchObject({ exists: true, kind: 'directory' });
    expect(await detailsOf('x/f')).toMatchObject({ exists: true, kind: 'file' });
    expect(await detailsOf('x/y')).toEqual({ path: 'x/y', exists: false });
    expect(await detailsOf('x/f/deeper')).toMatchObject({ exists: false });
  });
});
