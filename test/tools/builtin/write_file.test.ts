import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
      details: { path: 'deep/er/a.txt', created: true, lines: 2, bytes: 7 },
    });
    expect(await readFile(join(bench.root, 'deep/er/a.txt'), 'utf8')).toBe('one\ntwo');
  });

  it('says when it replaced a file', async () => {
    await write({ path: 'b.txt', content: 'old' });
    expect((await write({ path: 'b.txt', content: '你好\n' })).content).toBe('Overwrote b.txt: 1 lines, 7 bytes.');
  });

  it('writes an empty file', async () => {
    expect((await write({ path: 'empty', content: '' })).details).toMatchObject({ lines: 0, bytes: 0 });
  });

  it('refuses paths outside, protected ones, directories and over 10 MiB', async () => {
    expect(await write({ path: '../out.txt', content: 'x' })).toMatchObject({ ok: false, details: { code: 'outside' } });
    expect(await write({ path: '.git/hooks/pre-commit', content: 'x' })).toMatchObject({ ok: false, details: { code: 'protected' } });
    expect(await write({ path: 'deep', content: 'x' })).toMatchObject({ ok: false, content: expect.stringContaining('directory') });
    expect(await write({ path: 'deep/er/a.txt/b', content: 'x' })).toMatchObject({ ok: false, details: { code: 'not_a_directory' } });
    expect(await write({ path: 'big', content: '你'.repeat(4 * 1024 * 1024) })).toMatchObject({ ok: false });
  });
});
