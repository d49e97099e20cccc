import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManifestDirectory } from '../../../src/adapter/config/manifest_directory';
import { ConfigFileError } from '../../../src/port/config_files';

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
  const files = await createManifestDirectory(directory).readManifests();
  expect(files.map(({ name }) => name)).toEqual(['tools/a.yml', 'tools/folder/manifest.yaml', 'tools/z.yaml']);
  expect(files[1]?.folder).toMatch(/\/tools\/folder$/);
});

it('returns the mistake of a file in place of its content, and an error when there are more than 200', async () => {
  await Promise.all(
    Array.from({ length: 201 }, (_, index) => write(`tools/t${String(index).padStart(3, '0')}.yaml`, index === 0 ? '{' : 'name: x\n')),
  );
  const files = await createManifestDirectory(directory).readManifests();
  expect(files).toHaveLength(201);
  expect(files[0]?.content).toBeInstanceOf(ConfigFileError);
  expect(files.at(-1)?.content).toMatchObject({ message: 'tools: has more than 200 manifests; the rest is not read.' });
});

it('resolves without settings, examples and folders', async () => {
  const files = createManifestDirectory(join(directory, 'missing'));
  expect(await Promise.all([files.readManifests(), files.readSettings('x'), files.readExample('x')])).toEqual([[], undefined, undefined]);
});
