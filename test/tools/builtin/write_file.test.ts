import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileLedgers } from '../../../src/service/tool/file_ledgers';
import { readFileTool } from '../../../src/tools/builtin/read_file';
import { writeFileTool } from '../../../src/tools/builtin/write_file';
import { openToolBench, type ToolBench } from '../../support/tool_context';

describe('write_file', () => {
  let bench: ToolBench;
  const write = (args: unknown) => bench.call(writeFileTool, args);

  beforeAll(async () => {
    bench = await openToolBench();
  });
  afterAll(() => bench.close());

  it('creates a file with its directories and says so', async () => {
    const result = await write({ path: 'deep/er/a.txt', content: 'one\ntwo' });
    expect(result).toEqual({
      ok: true,
      content: 'Created deep/er/a.txt: 2 lines, 7 bytes.',
      details: {
        path: 'deep/er/a.txt',
        created: true,
        lines: 2,
        bytes: 7,
        diff: '--- a/deep/er/a.txt\n+++ b/deep/er/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file',
      },
    });
    expect(await readFile(join(bench.root, 'deep/er/a.txt'), 'utf8')).toBe('one\ntwo');
  });

  it('says when it replaced a file', async () => {
    await write({ path: 'b.txt', content: 'old' });
    expect((await write({ path: 'b.txt', content: '你好\n' })).content).toBe('Overwrote b.txt: 1 lines, 7 bytes.');
  });

  it('gives people the diff of a replaced file, unless the file may hold keys or is no text', async () => {
    await writeFile(join(bench.root, 'c.txt'), 'one\r\ntwo\r\nthree\r\n');
    const { details, content } = await write({ path: 'c.txt', content: 'one\n2\nthree\n' });
    expect(details?.['diff']).toBe('--- a/c.txt\n+++ b/c.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three');
    expect(content).not.toContain('-two');
    await writeFile(join(bench.root, '.env'), 'KEY=old\n');
    expect((await write({ path: '.env', content: 'KEY=new\n' })).details).not.toHaveProperty('diff', expect.anything());
    await writeFile(join(bench.root, 'd.bin'), Buffer.from([0, 1, 2, 255]));
    expect((await write({ path: 'd.bin', content: 'text\n' })).details).not.toHaveProperty('diff', expect.anything());
  });

  it('writes an empty file', async () => {
    expect((await write({ path: 'empty', content: '' })).details).toMatchObject({ lines: 0, bytes: 0 });
  });

  it('refuses to overwrite a file that another writer changed since this session last read or wrote it', async () => {
    const ctx = { fileLedger: new FileLedgers().ledgerFor('default', 'ses_1') };
    const target = join(bench.root, 'shared.txt');
    await bench.call(writeFileTool, { path: 'shared.txt', content: 'mine' }, ctx);
    await writeFile(target, 'theirs');
    const refused = await bench.call(writeFileTool, { path: 'shared.txt', content: 'mine again' }, ctx);
    expect(refused).toMatchObject({ ok: false, details: { code: 'stale' }, content: expect.stringContaining('read it again') });
    expect(await readFile(target, 'utf8')).toBe('theirs');
    await bench.call(readFileTool, { path: 'shared.txt' }, ctx);
    expect((await bench.call(writeFileTool, { path: 'shared.txt', content: 'mine again' }, ctx)).ok).toBe(true);
  });

  it('replaces a file that this session never read, and creates a removed file again', async () => {
    const ctx = { fileLedger: new FileLedgers().ledgerFor('default', 'ses_1') };
    await writeFile(join(bench.root, 'unread.txt'), 'old');
    expect((await bench.call(writeFileTool, { path: 'unread.txt', content: 'new' }, ctx)).ok).toBe(true);
    await rm(join(bench.root, 'unread.txt'));
    expect((await bench.call(writeFileTool, { path: 'unread.txt', content: 'newer' }, ctx)).details).toMatchObject({ created: true });
  });

  it('refuses paths outside, protected paths, directories and content over 10 MiB', async () => {
    expect(await write({ path: '../out.txt', content: 'x' })).toMatchObject({ ok: false, details: { code: 'outside' } });
    expect(await write({ path: '.git/hooks/pre-commit', content: 'x' })).toMatchObject({ ok: false, details: { code: 'protected' } });
    expect(await write({ path: 'deep', content: 'x' })).toMatchObject({ ok: false, content: expect.stringContaining('directory') });
    expect(await write({ path: 'deep/er/a.txt/b', content: 'x' })).toMatchObject({ ok: false, details: { code: 'not_a_directory' } });
    expect(await write({ path: 'big', content: '你'.repeat(4 * 1024 * 1024) })).toMatchObject({ ok: false });
  });
});
