import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listDirTool } from '../../../src/tools/builtin/list_dir';
import { openToolBench, type ToolBench } from '../../support/tool_context';

describe('list_dir', () => {
  let bench: ToolBench;
  const list = (args: unknown) => bench.call(listDirTool, args);

  beforeEach(async () => {
    bench = await openToolBench();
  });
  afterEach(() => bench.close());

  it('shows type, size and name of every entry, hidden ones too', async () => {
    await mkdir(join(bench.root, 'src'));
    await writeFile(join(bench.root, 'a.txt'), 'x'.repeat(1_536));
    await writeFile(join(bench.root, '.env'), '');
    await symlink('/etc', join(bench.root, 'etc'));
    const result = await list({});
    expect(result.content.split('\n').map(line => line.replace(/ +/g, ' '))).toEqual([
      'The workspace: 4 entries',
      'file 0 B .env',
      'file 1.5 KiB a.txt',
      'link - etc',
      'dir - src/',
    ]);
    expect(result.details).toEqual({ path: '.', entries: 4, truncated: false });
  });

  it('says that a directory is empty', async () => {
    await mkdir(join(bench.root, 'none'));
    expect((await list({ path: 'none' })).content).toBe('none is empty.');
  });

  it('shows 500 entries and says that there are more', async () => {
    for (let i = 0; i < 510; i += 1) await writeFile(join(bench.root, `f${String(i).padStart(4, '0')}`), '');
    const result = await list({ path: bench.root });
    expect(result.content.split('\n')).toHaveLength(501);
    expect(result.content).toContain('510 entries, the first 500 shown');
  });

  it('does not let a name forge a line', async () => {
    await writeFile(join(bench.root, 'a\nfile 1 B b'), '');
    expect((await list({})).content).toContain('"a\\nfile 1 B b"');
  });

  it('refuses files, missing paths and paths outside', async () => {
    await writeFile(join(bench.root, 'a.txt'), '');
    await symlink('/etc', join(bench.root, 'etc'));
    expect(await list({ path: 'a.txt' })).toMatchObject({ ok: false, content: expect.stringContaining('treat this one as a file') });
    expect(await list({ path: 'b.txt' })).toMatchObject({ ok: false, content: expect.stringContaining('a.txt') });
    expect(await list({ path: 'etc' })).toMatchObject({ ok: false, details: { code: 'outside' } });
    expect(await list({ path: '..' })).toMatchObject({ ok: false, details: { code: 'outside' } });
  });
});
