import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfigDirectory } from '../../../src/adapter/config/config_directory';
import type { ConfigFiles } from '../../../src/port/config_files';
import { withDirectory } from '../../support/temporary_store';

/** Calls `use` with a configuration directory that holds these files. */
async function withFiles<T>(texts: Record<string, string>, use: (files: ConfigFiles) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  await withDirectory(async directory => {
    await mkdir(join(directory, 'agents'));
    for (const [name, text] of Object.entries(texts)) await writeFile(join(directory, name), text);
    result = { value: await use(createConfigDirectory(directory)) };
  });
  return (result as { value: T }).value;
}

const BOMB = `a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
name: [*c, *c, *c, *c, *c, *c, *c, *c, *c]
`;

describe('the configuration directory', () => {
  it('reads the YAML files of a folder in name order, and no other files', async () => {
    const texts = { 'agents/b.yaml': 'b: 1', 'agents/a.yml': 'a: [1]', 'agents/notes.txt': '%' };
    const files = await withFiles(texts, config => config.readFolder('agents'));
    expect(files.map(({ name, value }) => ({ name, value }))).toEqual([
      { name: 'agents/a.yml', value: { a: [1] } },
      { name: 'agents/b.yaml', value: { b: 1 } },
    ]);
  });

  it('takes a missing file and a missing folder for empty', async () => {
    expect(await withFiles({}, config => config.readFile('approvals.yaml'))).toBeUndefined();
    expect(await withFiles({}, config => config.readFolder('skills'))).toEqual([]);
  });

  it('names the line of a field in its errors', async () => {
    const file = await withFiles({ 'x.yaml': 'rules:\n  - tool: bash\n    pattern: (\n' }, config => config.readFile('x.yaml'));
    expect(file?.problem('/rules/0/pattern', 'is no pattern').message).toBe('x.yaml: /rules/0/pattern: is no pattern (line 3).');
    expect(file?.problem('', 'is empty').message).toBe('x.yaml: /: is empty.');
  });

  it.each([
    ['broken YAML', 'name: [default', /^x\.yaml: .+/],
    ['a repeated key', 'name: a\nname: b\n', /^x\.yaml: .*unique/i],
    ['an unknown tag', 'label: !secret x\n', /^x\.yaml: /],
    ['aliases that expand without limit', BOMB, /^x\.yaml: its aliases cannot be resolved/],
    ['more than 256 KiB', `# ${'x'.repeat(300_000)}\n`, /^x\.yaml: the file is over 256 KiB\.$/],
  ])('refuses a file with %s in one line', async (_what, text, expected) => {
    const error = await withFiles({ 'x.yaml': text }, config => config.readFile('x.yaml').catch((thrown: Error) => thrown));
    expect((error as Error).message).toMatch(expected);
    expect((error as Error).message).not.toContain('\n');
  });
});
