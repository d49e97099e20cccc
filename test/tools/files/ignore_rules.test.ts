/** The .gitignore rules of real folders, as the tools and a search see them. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileListTool } from '../../../src/tools/builtin/file_list';
import { searchTool } from '../../../src/tools/builtin/search';
import { cpuTime } from '../../support/cpu_time';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;

/** Creates files; a file without content holds the word that `found` searches for. */
async function create(files: Record<string, string | undefined>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(bench.root, path)), { recursive: true });
    await writeFile(join(bench.root, path), content ?? 'needle\n');
  }
}

async function found(args: object = {}): Promise<string[]> {
  const { data } = await bench.call(searchTool, { pattern: 'needle', ...args });
  return (data as { items: { path: string }[] }).items.map(({ path }) => path);
}

async function listed(args: object): Promise<string[]> {
  const { data } = await bench.call(fileListTool, args);
  return (data as { items: { path: string }[] }).items.map(({ path }) => path);
}

beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

it('leaves out files and directories that .gitignore names, and tells how many when nothing matches', async () => {
  await create({ '.gitignore': '# built\ndist/\n*.log\n', 'dist/a.js': undefined, 'deep/er/b.log': undefined, 'c.ts': 'hay\n' });
  const { content, details } = await bench.call(searchTool, { pattern: 'needle' });
  expect(content).toContain('[Not searched, because a .gitignore names them: 2 files and directories.');
  expect(details).toMatchObject({ matches: 0, ignored: 2 });
  expect(await found({ include_ignored: true })).toEqual(['deep/er/b.log', 'dist/a.js']);
});

it('lets a later rule and a nested .gitignore override earlier ones', async () => {
  await create({
    '.gitignore': '*.log\n!keep.log\n/only-here\nbuild/\n',
    'keep.log': undefined,
    'only-here': undefined,
    'sub/only-here': undefined,
    'sub/.gitignore': '!build/\n!*.log\n/local\n\\#odd\n',
    'sub/build/x.ts': undefined,
    'sub/a.log': undefined,
    'sub/local': undefined,
    'sub/#odd': undefined,
    'sub/deeper/local': undefined,
    'build/y.ts': undefined,
  });
  expect(await found()).toEqual(['keep.log', 'sub/a.log', 'sub/build/x.ts', 'sub/deeper/local', 'sub/only-here']);
});

it('applies the rules of the directories above the start, but not to a start that they hide', async () => {
  await create({ '.gitignore': 'gen/\n', 'src/.gitignore': 'tmp*\n', 'src/lib/tmp.ts': undefined, 'src/lib/a.ts': undefined });
  await create({ 'gen/b.ts': undefined, 'gen/in/c.ts': undefined });
  expect(await found({ path: 'src/lib' })).toEqual(['src/lib/a.ts']);
  expect(await found({ path: 'gen' })).toEqual(['gen/b.ts', 'gen/in/c.ts']);
  expect(await found({ path: 'gen/in' })).toEqual(['gen/in/c.ts']);
  expect(await found({ path: 'src/lib/tmp.ts' })).toEqual(['src/lib/tmp.ts']);
});

it('names files that may hold keys although .gitignore names them too', async () => {
  await create({ '.gitignore': '.env\n', '.env': undefined });
  expect((await bench.call(searchTool, { pattern: 'needle' })).content).toMatch(/may hold keys or passwords: \.env/);
});

it('lists ignored entries only when the pattern names them or include_ignored is set', async () => {
  await create({ '.gitignore': 'dist\n*.log\n', 'dist/a.js': undefined, 'a.log': undefined, 'b.ts': undefined });
  expect(await listed({ pattern: '**' })).toEqual(['.gitignore', 'b.ts', 'dist']);
  expect((await bench.call(fileListTool, { pattern: '*.log' })).content).toMatch(/Nothing in \. matches.*\n\[Left out.*1 files/);
  expect(await listed({ pattern: 'a.log' })).toEqual(['a.log']);
  expect(await listed({ pattern: 'dist/*' })).toEqual(['dist/a.js']);
  expect(await listed({ pattern: '**', include_ignored: true })).toEqual(['.gitignore', 'a.log', 'b.ts', 'dist', 'dist/a.js']);
});

it('disregards a .gitignore that is a symlink, a directory or larger than 64 KiB', async () => {
  await create({ rules: 'a.ts\n', 'link/a.ts': undefined, 'dir/.gitignore/x': '', 'dir/a.ts': undefined });
  await symlink(join(bench.root, 'rules'), join(bench.root, 'link/.gitignore'));
  await create({ 'large/.gitignore': `${'#'.repeat(64 * 1024)}\na.ts\n`, 'large/a.ts': undefined });
  expect(await found()).toEqual(['dir/a.ts', 'large/a.ts', 'link/a.ts']);
});

it('searches on when a .gitignore is made to be slow', async () => {
  const name = 'a'.repeat(200);
  const rules = [
    `${'**/*/'.repeat(20)}b`,
    `${'a/***/'.repeat(40)}b`,
    `${'*a?a'.repeat(40)}b`,
    ...Array.from({ length: 3_000 }, (_, i) => `*a*a${i}b`),
  ];
  const path = `${'a/'.repeat(40)}${name}/${name}/x.ts`;
  await create({ '.gitignore': rules.join('\n'), [path]: undefined });
  const started = cpuTime();
  expect(await found()).toEqual([path]);
  expect(cpuTime() - started).toBeLessThan(5_000);
});
