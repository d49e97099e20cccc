import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfigDirectory } from '../../../src/adapter/config/config_directory';
import { ConfigFileError, type ConfigFiles } from '../../../src/port/config_files';
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

describe('the manifests of the configuration directory', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'neta-manifests-'));
    await mkdir(join(directory, 'tools'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const write = (path: string, text = 'name: x\n') => writeFile(join(directory, path), text);

  it('reads manifests beside folders and inside them, in name order, and nothing else', async () => {
    await mkdir(join(directory, 'tools/folder'));
    await mkdir(join(directory, 'tools/no_manifest'));
    await mkdir(join(directory, 'tools/.hidden'));
    await Promise.all(
      ['tools/z.yaml', 'tools/a.yml', 'tools/a.py', 'tools/folder/manifest.yaml', 'tools/folder/other.yaml'].map(path => write(path)),
    );
    await write('tools/.hidden/manifest.yaml');
    const files = await createConfigDirectory(directory).readManifests();
    expect(files.map(({ name }) => name)).toEqual(['tools/a.yml', 'tools/folder/manifest.yaml', 'tools/z.yaml']);
    expect(files[1]?.folder).toMatch(/\/tools\/folder$/);
  });

  it('returns the mistake of a file in place of its content, and an error when there are more than 200', async () => {
    await Promise.all(
      Array.from({ length: 201 }, (_, index) => write(`tools/t${String(index).padStart(3, '0')}.yaml`, index === 0 ? '{' : 'name: x\n')),
    );
    const files = await createConfigDirectory(directory).readManifests();
    expect(files).toHaveLength(201);
    expect(files[0]?.content).toBeInstanceOf(ConfigFileError);
    expect(files.at(-1)?.content).toMatchObject({ message: 'tools: has more than 200 manifests; the rest is not read.' });
  });

  it('resolves without settings, examples and folders', async () => {
    const files = createConfigDirectory(join(directory, 'missing'));
    expect(await Promise.all([files.readManifests(), files.readSettings('x'), files.readExample('x')])).toEqual([[], undefined, undefined]);
  });
});
