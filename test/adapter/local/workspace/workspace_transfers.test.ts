/** Downloads and uploads of a workspace, with and without paths for open descriptors. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspace } from '../../../../src/adapter/local/workspace/workspace';
import type { OpenFile, Workspace } from '../../../../src/port/workspace';
import { contentHash } from '../../../../src/utils/content_hash';

let mockHasDescriptorPaths = true;
jest.mock('../../../../src/adapter/local/disk/descriptor_paths', () => ({
  ...jest.requireActual('../../../../src/adapter/local/disk/descriptor_paths'),
  hasDescriptorPaths: () => mockHasDescriptorPaths,
}));

const LIMIT = { maxBytes: 1_000 };

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

describe.each([
  ['with paths for descriptors', true],
  ['on a system without /proc', false],
])('transfers of a workspace %s', (_place, hasDescriptorPaths) => {
  let home: string;
  let workspace: Workspace;
  const inside = (path: string) => join(workspace.root, path);

  beforeEach(async () => {
    mockHasDescriptorPaths = hasDescriptorPaths;
    home = await mkdtemp(join(tmpdir(), 'neta-transfers-'));
    workspace = await openWorkspace(join(home, 'workspace'));
    await writeFile(inside('a.txt'), 'alpha');
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const textOf = async (file: OpenFile, start = 0, end = file.size): Promise<string> => {
    const parts: Uint8Array[] = [];
    for await (const part of file.read(start, end)) parts.push(part);
    return Buffer.concat(parts).toString();
  };

  it('reads a part of an open file, which stays the same file when another one takes its name', async () => {
    const file = await workspace.openFile('a.txt');
    await writeFile(inside('b.txt'), 'other');
    await rename(inside('b.txt'), inside('a.txt'));
    expect([file.path, file.size, await textOf(file, 1, 3), await textOf(file)]).toEqual(['a.txt', 5, 'lp', 'alpha']);
    await file.close();
  });

  it('names the file behind links, and opens nothing outside', async () => {
    await mkdir(inside('d'));
    await symlink('../a.txt', inside('d/link'));
    const file = await workspace.openFile('d/link');
    await file.close();
    expect([file.path, await workspace.resolvePath('d/link'), await workspace.resolvePath('d/new/x')]).toEqual([
      'a.txt',
      'a.txt',
      'd/new/x',
    ]);
    await writeFile(join(home, 'secret'), 's');
    await symlink('../secret', inside('out'));
    await expect(workspace.openFile('out')).rejects.toMatchObject({ code: 'outside' });
    await expect(workspace.resolvePath('../secret')).rejects.toMatchObject({ code: 'outside' });
    await expect(workspace.openFile('d')).rejects.toMatchObject({ code: 'not_a_file' });
    await expect(workspace.openFile('none')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('gives a file another version with each change', async () => {
    const versionOf = async () => {
      const file = await workspace.openFile('a.txt');
      await file.close();
      return file.version;
    };
    const first = await versionOf();
    expect(await versionOf()).toBe(first);
    await workspace.writeFile('a.txt', Buffer.from('alpha'));
    const second = await versionOf();
    await utimes(inside('a.txt'), 1, 1);
    expect(new Set([first, second, await versionOf()]).size).toBe(3);
  });

  it('rejects when a file becomes shorter while it is read', async () => {
    const file = await workspace.openFile('a.txt');
    await writeFile(inside('a.txt'), 'a');
    await expect(textOf(file)).rejects.toMatchObject({ code: 'io' });
    await file.close();
  });

  it('puts staged bytes in place as a whole, and keeps the mode of a file that it replaces', async () => {
    await chmod(inside('a.txt'), 0o640);
    const staged = await workspace.stageFile(pieces('be', 'ta'), LIMIT);
    expect([staged.size, staged.hash, await readFile(inside('a.txt'), 'utf8')]).toEqual([4, contentHash('beta'), 'alpha']);
    expect(await staged.replace('a.txt')).toEqual({ created: false });
    await staged.discard();
    expect([await readFile(inside('a.txt'), 'utf8'), (await stat(inside('a.txt'))).mode & 0o777]).toEqual(['beta', 0o640]);
    const other = await workspace.stageFile(pieces('x'), LIMIT);
    expect(await other.replace('new/dir/x.txt')).toEqual({ created: true });
    await other.discard();
    expect((await stat(inside('new/dir/x.txt'))).mode & 0o777).toBe(0o644);
  });

  it('keeps nothing of too many bytes, of bytes that break off, and of bytes without a place', async () => {
    await expect(workspace.stageFile(pieces('x'.repeat(600), 'x'.repeat(600)), LIMIT)).rejects.toMatchObject({ code: 'too_large' });
    const broken = (async function* () {
      yield Buffer.from('half');
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    })();
    await expect(workspace.stageFile(broken, LIMIT)).rejects.toMatchObject({ code: 'io' });
    await (await workspace.stageFile(pieces('x'), LIMIT)).discard();
    expect(await readdir(inside('.neta/uploads'))).toEqual([]);
  });

  it('refuses places that a write refuses', async () => {
    await symlink('..', inside('up'));
    const staged = await workspace.stageFile(pieces('x'), LIMIT);
    for (const [path, code] of [
      ['../x', 'outside'],
      ['up/x', 'outside'],
      ['.git/config', 'protected'],
      ['.', 'not_a_file'],
      ['a.txt/x', 'not_a_directory'],
    ] as const) {
      await expect(staged.replace(path)).rejects.toMatchObject({ code });
    }
    await staged.discard();
  });

  it('lists the entries after a name, a page at a time', async () => {
    for (const name of ['b', 'c', 'd']) await mkdir(inside(name));
    const first = await workspace.listPage('.', { after: '', limit: 3 });
    expect([first.entries.map(({ name }) => name), first.isMore]).toEqual([['a.txt', 'b', 'c'], true]);
    const next = await workspace.listPage('.', { after: 'c', limit: 3 });
    expect([next.entries.map(({ name, kind }) => [name, kind]), next.isMore]).toEqual([[['d', 'directory']], false]);
    for (let i = 0; i < 20; i++) await mkdir(inside(`x${(i * 7) % 20}`));
    const many = await workspace.listPage('.', { after: 'd', limit: 3 });
    expect([many.entries.map(({ name }) => name), many.isMore]).toEqual([['x0', 'x1', 'x10'], true]);
    await expect(workspace.listPage('a.txt', { after: '', limit: 3 })).rejects.toMatchObject({ code: 'not_a_directory' });
  });
});
