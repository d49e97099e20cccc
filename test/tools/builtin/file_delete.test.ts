import { FileLedgers } from '../../../src/service/tool/file_ledgers';
import { fileDeleteTool } from '../../../src/tools/builtin/file_delete';
import { fileReadTool } from '../../../src/tools/builtin/file_read';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

describe('file_delete (nanoclaw.file)', () => {
  it('deletes a file, and refuses directories and missing files', async () => {
    await bench.put('x/f', '1');
    expect(await bench.call(fileDeleteTool, { path: 'x' })).toMatchObject({ ok: false });
    expect(await bench.call(fileDeleteTool, { path: 'x/none' })).toMatchObject({ ok: false, details: { code: 'not_found' } });
    const deleted = await bench.call(fileDeleteTool, { path: 'x/f' });
    expect(deleted).toMatchObject({ ok: true, details: { path: 'x/f', diff: expect.stringContaining('@@ -1,1 +0,0 @@\n-1') } });
    expect(await bench.call(fileDeleteTool, { path: 'x/f' })).toMatchObject({ ok: false });
  });

  it('deletes a file that another writer changed only after the session has read it again', async () => {
    const ctx = { fileLedger: new FileLedgers().ledgerFor('default', 'ses_1') };
    await bench.put('s.txt', 'mine\n');
    await bench.call(fileReadTool, { path: 's.txt' }, ctx);
    await bench.put('s.txt', 'theirs\n');
    expect(await bench.call(fileDeleteTool, { path: 's.txt' }, ctx)).toMatchObject({ ok: false, details: { code: 'stale' } });
    await bench.call(fileReadTool, { path: 's.txt' }, ctx);
    expect((await bench.call(fileDeleteTool, { path: 's.txt' }, ctx)).content).toBe('Deleted s.txt.');
  });
});
