/** Compares docs/tools.md and its Chinese twin with the built catalog. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import '../src/builtin_tools';
import { getAllToolNames, getSchema, getToolsets } from '../src/tools/catalog';

const ROOT = join(__dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

it('the pages are what npm run docs:tools writes, in both languages', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/tool_docs.mjs', '--check'], { cwd: ROOT, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it.each(['docs/tools.md', 'docs/tools.zh-CN.md'])('%s has each toolset, and each tool once with its effect', file => {
  const text = read(file);
  expect(text.match(/^## (\w+)$/gm)?.map(line => line.slice(3))).toEqual(getToolsets());
  const rows = text.split('\n').filter(line => line.startsWith('| `'));
  expect(rows.map(line => /^\| `(\w+)`/.exec(line)?.[1]).sort()).toEqual(getAllToolNames().sort());
  for (const line of rows) expect(line).toContain(`\`${getSchema(/^\| `(\w+)`/.exec(line)?.[1] ?? '')?.effect}\``);
});

it.each([
  ['README.md', 'docs/tools.md'],
  ['README.zh-CN.md', 'docs/tools.zh-CN.md'],
  ['docs/guides/write-a-tool.md', '../tools.md'],
  ['docs/guides/write-a-tool.zh-CN.md', '../tools.zh-CN.md'],
])('%s links to it', (file, target) => {
  expect(read(file)).toContain(`(${target})`);
});
