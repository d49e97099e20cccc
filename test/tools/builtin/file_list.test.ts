import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileListTool } from '../../../src/tools/builtin/file_list';
import { cpuTime } from '../../support/cpu_time';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

describe('file_list (nanoclaw.file)', () => {
  const list = async (args: object) => (await bench.call(fileListTool, args)).content.split('\n').map(line => line.replace(/ \(.*$/, ''));

  beforeEach(async () => {
    for (const path of ['a.ts', 'b.md', 'src/c.ts', 'src/deep/d.tsx', 'node_modules/m/e.ts', '.git/f.ts', 'src/[x].ts'])
      await bench.put(path, 'x');
    await symlink('..', join(bench.root, 'src/loop'));
  });

  it.each([
    [{}, ['.git/', 'a.ts', 'b.md', 'node_modules/', 'src/']],
    [{ pattern: '*.ts' }, ['a.ts']],
    [{ pattern: '**/*.{ts,tsx}' }, ['a.ts', 'src/[x].ts', 'src/c.ts', 'src/deep/d.tsx']],
    [{ pattern: 'src/?.ts' }, ['src/c.ts']],
    [{ path: 'src', pattern: '[a-d]*' }, ['c.ts', 'deep/']],
    [{ pattern: 'node_modules/**' }, ['node_modules/m/', 'node_modules/m/e.ts']],
    [{ pattern: '**/d.tsx' }, ['src/deep/d.tsx']],
  ])('%j finds %j', async (args, found) => {
    expect(await list(args)).toEqual(found);
  });

  it('says when nothing matches, when a pattern is not valid, and when there are more entries', async () => {
    expect((await bench.call(fileListTool, { pattern: '*.py' })).content).toContain('Nothing');
    expect(await bench.call(fileListTool, { pattern: '{a' })).toMatchObject({ ok: false });
    expect(await bench.call(fileListTool, { path: 'a.ts' })).toMatchObject({ ok: false });
    await mkdir(join(bench.root, 'many'));
    for (let i = 0; i < 1_001; i += 1) await writeFile(join(bench.root, 'many', String(i)), '');
    expect((await bench.call(fileListTool, { path: 'many' })).details).toMatchObject({ count: 1_000, truncated: true });
  });

  it('matches a pattern made for backtracking in under a second', async () => {
    await bench.put('a'.repeat(200), 'x');
    const startedAt = cpuTime();
    await bench.call(fileListTool, { pattern: `${'*a'.repeat(90)}b` });
    expect(cpuTime() - startedAt).toBeLessThan(1_000);
  });
});
