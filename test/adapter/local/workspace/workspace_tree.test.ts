import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_FILE_BYTES, readTreeFile, replaceTreeFile, scanTree } from '../../../../src/adapter/local/workspace/workspace_tree';
import { until } from '../../../support/until';

let root: string;
let outside: string;
beforeEach(async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'neta-tree-')));
  root = join(home, 'workspace');
  outside = join(home, 'outside');
  for (const path of [root, outside]) await mkdir(path);
});
afterEach(() => rm(join(root, '..'), { recursive: true, force: true }));

const scan = (known = new Map()) => scanTree(root, known, 100);
const text = (content: string) => ({ bytes: Buffer.from(content), mode: 0o644, isLink: false });

it('reads no file again that has the stamp of the last scan', async () => {
  await writeFile(join(root, 'a.md'), 'a');
  const { files } = await until(scan, ({ files: found }) => found.get('a.md')?.stamp !== undefined);
  const known = new Map([...files].map(([path, file]) => [path, { ...file, hash: 'as known' }]));
  expect((await scan(known)).files.get('a.md')?.hash).toBe('as known');
  await chmod(join(root, 'a.md'), 0o600);
  expect((await scan(known)).files.get('a.md')).toMatchObject({ hash: files.get('a.md')?.hash, mode: 0o600 });
});

it('lets a file that became too large count as unchanged', async () => {
  await writeFile(join(root, 'a.bin'), 'a');
  const { files } = await scan();
  await truncate(join(root, 'a.bin'), MAX_FILE_BYTES + 1);
  const grown = await scan(files);
  expect(grown.leftOut).toEqual(['a.bin']);
  expect(grown.files.get('a.bin')?.hash).toBe(files.get('a.bin')?.hash);
});

it('refuses to write or remove a file that is not as expected', async () => {
  await writeFile(join(root, 'a.md'), 'a');
  const { files } = await scan();
  const before = files.get('a.md');
  await writeFile(join(root, 'a.md'), 'changed');
  expect(await replaceTreeFile(root, 'a.md', { before, content: text('new') })).toBe('changed');
  expect(await replaceTreeFile(root, 'a.md', { before, content: undefined })).toBe('changed');
  expect(await replaceTreeFile(root, 'a.md', { before: undefined, content: text('new') })).toBe('changed');
  expect(await readFile(join(root, 'a.md'), 'utf8')).toBe('changed');
});

it('reads and writes nothing outside the workspace, and nothing that git obeys', async () => {
  await writeFile(join(outside, 'secret'), 'secret');
  await symlink(outside, join(root, 'way'));
  expect([...(await scan()).files.keys()]).toEqual([]);
  expect(await readTreeFile(root, 'way/secret')).toBeUndefined();
  expect(await replaceTreeFile(root, 'way/new', { before: undefined, content: text('x') })).toBe('unreplaceable');
  const hook = { before: undefined, content: text('x') };
  expect(await replaceTreeFile(root, '.git/hooks/pre-commit', hook)).toBe('unreplaceable');
  const out = { bytes: Buffer.from('../outside'), mode: 0, isLink: true };
  expect(await replaceTreeFile(root, 'link', { before: undefined, content: out })).toBe('unreplaceable');
  expect(await readdir(outside)).toEqual(['secret']);
  expect([...(await scan()).files.keys()]).toEqual([]);
});

it('says that a path is unreplaceable when a folder, a file or missing rights stand in the way', async () => {
  await mkdir(join(root, 'folder'));
  await writeFile(join(root, 'file'), 'a');
  await writeFile(join(root, 'large.bin'), '');
  await truncate(join(root, 'large.bin'), MAX_FILE_BYTES + 1);
  const link = { bytes: Buffer.from('file'), mode: 0, isLink: true };
  for (const path of ['folder', 'file/below', 'file/far/below', 'large.bin'])
    for (const content of [text('x'), link])
      expect(await replaceTreeFile(root, path, { before: undefined, content })).toBe('unreplaceable');
  expect(await readFile(join(root, 'file'), 'utf8')).toBe('a');
});
