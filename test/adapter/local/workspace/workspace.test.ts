import { execFileSync } from 'node:child_process';
import { openSync, renameSync, symlinkSync } from 'node:fs';
import fs, {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { pooledCalls } from '../../../../src/adapter/local/disk/file_calls';
import { openWorkspace } from '../../../../src/adapter/local/workspace/workspace';
import { type Workspace, WorkspaceError } from '../../../../src/port/workspace';
import { until } from '../../../support/until';

let mockHasDescriptorPaths = true;
jest.mock('../../../../src/adapter/local/disk/descriptor_paths', () => ({
  ...jest.requireActual('../../../../src/adapter/local/disk/descriptor_paths'),
  hasDescriptorPaths: () => mockHasDescriptorPaths,
}));
let mockAroundWalk: (<T>(walk: () => T) => T) | undefined;
jest.mock('../../../../src/adapter/local/disk/direct_walk', () => {
  const actual = jest.requireActual('../../../../src/adapter/local/disk/direct_walk');
  const walkDirectly = (...args: unknown[]) =>
    mockAroundWalk ? mockAroundWalk(() => actual.walkDirectly(...args)) : actual.walkDirectly(...args);
  return { ...actual, walkDirectly };
});
let mockDiskType: string | undefined;
jest.mock('../../../../src/adapter/local/disk/mount_table', () => {
  const table = jest.requireActual('../../../../src/adapter/local/disk/mount_table');
  return { ...table, mountOf: (...args: unknown[]) => ({ ...table.mountOf(...args), ...(mockDiskType && { type: mockDiskType }) }) };
});

const LIMIT = { maxBytes: 1024 };
const refusal = (code: string) => expect.objectContaining({ name: 'WorkspaceError', code });

/** Swaps directory `d` and symlink `link` in a loop. A write that finds no `d` creates one, which must be removed. */
const SWAPPER = `
  const { renameSync, rmSync } = require('node:fs');
  const root = require('node:worker_threads').workerData;
  const move = (from, to) => {
    for (;;) {
      try { return renameSync(root + '/' + from, root + '/' + to); } catch {}
      try { rmSync(root + '/' + to, { recursive: true, force: true }); } catch {}
    }
  };
  for (;;) { move('d', 'kept'); move('link', 'd'); move('d', 'link'); move('kept', 'd'); }
`;

describe.each([
  { place: 'a local disk', hasDescriptorPaths: true },
  { place: 'a network disk', hasDescriptorPaths: true, diskType: 'nfs4' },
  { place: 'a system without /proc', hasDescriptorPaths: false, diskType: 'apfs' },
])('workspace on $place', ({ hasDescriptorPaths, diskType }) => {
  let directory: string;
  let outside: string;
  let workspace: Workspace;
  const inside = (path: string) => join(workspace.root, path);

  beforeAll(() => {
    mockHasDescriptorPaths = hasDescriptorPaths;
    mockDiskType = diskType;
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'neta-workspace-'));
    outside = join(directory, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), 'secret');
    workspace = await openWorkspace(join(directory, 'deep', 'workspace'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('writes a file whose directory another call creates at the same time', async () => {
    // The directory appears right after the first look found none.
    const late = jest.spyOn(fs, 'realpath').mockImplementationOnce(async path => {
      await mkdir(String(path), { recursive: true });
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    });
    await workspace.makeDirectory('shared/results');
    expect(await workspace.writeFile('shared/results/one.txt', Buffer.from('x'))).toEqual({ created: true });
    expect(late).toHaveBeenCalled();
    late.mockRestore();
  });

  it('creates directories once, but not outside, through a symlink that leads out, or among the hooks of git', async () => {
    expect(await workspace.makeDirectory('new/er')).toEqual({ created: true });
    expect(await workspace.makeDirectory('new/er')).toEqual({ created: false });
    expect((await stat(inside('new/er'))).isDirectory()).toBe(true);
    await symlink(outside, inside('leak'));
    await expect(workspace.makeDirectory('../x')).rejects.toEqual(refusal('outside'));
    await expect(workspace.makeDirectory('leak/x')).rejects.toEqual(refusal('outside'));
    await expect(workspace.makeDirectory('.git/hooks')).rejects.toEqual(refusal('protected'));
    await writeFile(inside('file'), '');
    await expect(workspace.makeDirectory('file/x')).rejects.toEqual(refusal('not_a_directory'));
  });

  it('lists at most maxEntries of a directory', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await writeFile(inside(name), '');
    expect(await workspace.list('.', { maxEntries: 3 })).toHaveLength(3);
    expect((await workspace.list('.', { maxEntries: 9 })).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('creates its directory when it is missing and reports its real path', async () => {
    expect((await stat(workspace.root)).isDirectory()).toBe(true);
    await symlink(workspace.root, join(directory, 'alias'));
    const aliased = await openWorkspace(join(directory, 'alias'));
    expect(aliased.root).toBe(workspace.root);
    expect(aliased.relative(join(directory, 'alias', 'a.txt'))).toBe('a.txt');
  });

  it('returns paths relative to its root, for absolute and relative ones', () => {
    expect(workspace.relative('.')).toBe('.');
    expect(workspace.relative('a/../b.txt')).toBe('b.txt');
    expect(workspace.relative(inside('a/b.txt'))).toBe('a/b.txt');
    expect(workspace.relative('..a')).toBe('..a');
  });

  it.each(['..', '../x', 'a/../../x', '/', '/etc/passwd', 'a\0b'])('refuses the path %j in every operation', async path => {
    expect(() => workspace.relative(path)).toThrow(WorkspaceError);
    await expect(workspace.stat(path)).rejects.toEqual(refusal('outside'));
    await expect(workspace.readFile(path, LIMIT)).rejects.toEqual(refusal('outside'));
    await expect(workspace.writeFile(path, Buffer.from('x'))).rejects.toEqual(refusal('outside'));
    await expect(workspace.list(path)).rejects.toEqual(refusal('outside'));
    await expect(workspace.withFileLock(path, async () => 1)).rejects.toEqual(refusal('outside'));
  });

  it('refuses a sibling directory whose name starts with its own name', async () => {
    await writeFile(`${workspace.root}-2`, 'x');
    await expect(workspace.readFile(`${workspace.root}-2`, LIMIT)).rejects.toEqual(refusal('outside'));
  });

  describe('symlinks', () => {
    it('follows those that stay inside, for reading and writing', async () => {
      await mkdir(inside('real'));
      await writeFile(inside('real/a.txt'), 'old');
      await symlink('real', inside('dir'));
      await symlink('real/a.txt', inside('file'));
      expect((await workspace.readFile('dir/a.txt', LIMIT)).toString()).toBe('old');
      await workspace.writeFile('file', Buffer.from('new'));
      expect(await readFile(inside('real/a.txt'), 'utf8')).toBe('new');
      expect(await readlink(inside('file'))).toBe('real/a.txt');
      expect(await workspace.stat('file')).toMatchObject({ kind: 'file', size: 3 });
    });

    it('refuses those that lead out, whether to a file or a directory, near or far', async () => {
      await symlink(join(outside, 'secret.txt'), inside('file'));
      await symlink(outside, inside('dir'));
      await symlink('../../outside', inside('relative'));
      await symlink('dir', inside('twice'));
      for (const path of ['file', 'dir/secret.txt', 'relative/secret.txt', 'twice/secret.txt']) {
        await expect(workspace.readFile(path, LIMIT)).rejects.toEqual(refusal('outside'));
        await expect(workspace.writeFile(path, Buffer.from('x'))).rejects.toEqual(refusal('outside'));
        await expect(workspace.stat(path)).rejects.toEqual(refusal('outside'));
      }
      await expect(workspace.list('dir')).rejects.toEqual(refusal('outside'));
      await expect(workspace.writeFile('dir/new/file', Buffer.from('x'))).rejects.toEqual(refusal('outside'));
      expect(await readdir(outside)).toEqual(['secret.txt']);
      expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
    });

    it('refuses a dangling one and does not create its target', async () => {
      await symlink(join(outside, 'new.txt'), inside('dangling'));
      await symlink('loop', inside('loop'));
      await expect(workspace.writeFile('dangling', Buffer.from('x'))).rejects.toEqual(refusal('not_a_file'));
      await expect(workspace.writeFile('dangling/a', Buffer.from('x'))).rejects.toBeInstanceOf(WorkspaceError);
      await expect(workspace.readFile('loop', LIMIT)).rejects.toBeInstanceOf(WorkspaceError);
      expect(await readdir(outside)).toEqual(['secret.txt']);
    });

    it('follows one in the middle of a path only when it stays inside', async () => {
      await mkdir(inside('a/real/c'), { recursive: true });
      await writeFile(inside('a/real/c/f.txt'), 'public');
      await mkdir(join(outside, 'c'));
      await writeFile(join(outside, 'c/f.txt'), 'secret');
      await symlink('real', inside('a/near'));
      await symlink(outside, inside('a/far'));
      expect((await workspace.readFile('a/near/c/f.txt', LIMIT)).toString()).toBe('public');
      expect(await workspace.list('a/near/c')).toHaveLength(1);
      await expect(workspace.readFile('a/far/c/f.txt', LIMIT)).rejects.toEqual(refusal('outside'));
      await expect(workspace.stat('a/far/c/f.txt')).rejects.toEqual(refusal('outside'));
      await expect(workspace.list('a/far/c')).rejects.toEqual(refusal('outside'));
    });

    it('refuses those to open files of the gateway itself', async () => {
      const secret = await fs.open(join(outside, 'secret.txt'));
      await symlink(`/proc/self/fd/${secret.fd}`, inside('file'));
      await symlink('/proc/self', inside('process'));
      try {
        for (const path of ['file', 'process/environ', `process/fd/${secret.fd}`, 'process/root/etc/passwd'])
          await expect(workspace.readFile(path, LIMIT)).rejects.toEqual(refusal('outside'));
        await expect(workspace.list('process/cwd')).rejects.toEqual(refusal('outside'));
      } finally {
        await secret.close();
      }
    });

    it('refuses everything once a symlink to another directory has replaced the root', async () => {
      await rename(workspace.root, `${workspace.root}-old`);
      await symlink(outside, workspace.root);
      await expect(workspace.readFile('secret.txt', LIMIT)).rejects.toEqual(refusal('outside'));
      await expect(workspace.list('.')).rejects.toEqual(refusal('outside'));
      await expect(workspace.stat('secret.txt')).rejects.toEqual(refusal('outside'));
    });

    it('reads through a root that is itself a symlink', async () => {
      await writeFile(inside('a.txt'), 'x');
      await symlink(workspace.root, join(directory, 'alias'));
      const aliased = await openWorkspace(join(directory, 'alias'));
      expect((await aliased.readFile('a.txt', LIMIT)).toString()).toBe('x');
      expect((await aliased.readFile(join(directory, 'alias', 'a.txt'), LIMIT)).toString()).toBe('x');
      expect((await aliased.list(join(directory, 'alias'))).map(({ name }) => name)).toEqual(['a.txt']);
    });

    const onlyWithDescriptors = hasDescriptorPaths ? it : it.skip;

    onlyWithDescriptors.each(['before', 'after'])(
      'reads and lists nothing outside when one replaces the parent right %s the walk',
      async when => {
        const swap = () => {
          renameSync(inside('d'), inside('moved'));
          symlinkSync(outside, inside('d'));
        };
        const reset = async () => {
          await rm(inside(''), { recursive: true });
          await mkdir(inside('d'), { recursive: true });
          await writeFile(inside('d/secret.txt'), 'public');
        };
        const walkInPool = (path: string, flags: number) => openSync(path, flags);
        const swapAround = <T>(step: () => T): T => {
          mockAroundWalk = undefined;
          if (when === 'before') swap();
          const held = step();
          if (when === 'after') swap();
          return held;
        };
        // The first walk is on the calling thread for a local disk, and in the thread pool for any other.
        const swapAroundWalk = () => {
          if (diskType === undefined) mockAroundWalk = swapAround;
          else jest.spyOn(pooledCalls, 'open').mockImplementationOnce(async (path, flags) => swapAround(() => walkInPool(path, flags)));
        };
        await reset();
        swapAroundWalk();
        const read = workspace.readFile('d/secret.txt', LIMIT);
        if (when === 'before') await expect(read).rejects.toEqual(refusal('outside'));
        else expect((await read).toString()).toBe('public');
        await reset();
        await writeFile(join(outside, 'other.txt'), 'secret');
        swapAroundWalk();
        const list = workspace.list('d');
        if (when === 'before') await expect(list).rejects.toEqual(refusal('outside'));
        else expect((await list).map(({ name }) => name)).toEqual(['secret.txt']);
        jest.restoreAllMocks();
      },
    );

    onlyWithDescriptors('neither reads nor writes outside while a directory is replaced by a symlink again and again', async () => {
      await mkdir(inside('d'));
      await writeFile(inside('d/secret.txt'), 'public');
      await symlink(outside, inside('link'));
      const swapper = new Worker(SWAPPER, { eval: true, workerData: workspace.root });
      const seen = new Set<string>();
      for (let i = 0; i < 200; i += 1) {
        await workspace
          .readFile('d/secret.txt', LIMIT)
          .then(bytes => seen.add(bytes.toString()))
          .catch(() => {});
        await workspace.writeFile('d/new.txt', Buffer.from('x')).catch(() => {});
        await workspace
          .list('d')
          .then(entries => entries.map(entry => seen.add(entry.name)))
          .catch(() => {});
      }
      await swapper.terminate();
      expect([...seen].filter(text => text === 'secret')).toEqual([]);
      expect(await readdir(outside)).toEqual(['secret.txt']);
    });

    it('lists them as links, without following', async () => {
      await symlink(outside, inside('dir'));
      expect(await workspace.list('.')).toEqual([expect.objectContaining({ name: 'dir', kind: 'symlink' })]);
    });
  });

  describe('reading', () => {
    it('reports a missing path, a directory, or a path below a file, by relative path only', async () => {
      await mkdir(inside('d'));
      await writeFile(inside('f'), '');
      await expect(workspace.readFile('d/none', LIMIT)).rejects.toEqual(refusal('not_found'));
      await expect(workspace.readFile('d', LIMIT)).rejects.toEqual(refusal('not_a_file'));
      await expect(workspace.readFile('f/x', LIMIT)).rejects.toEqual(refusal('not_a_directory'));
      await expect(workspace.list('f')).rejects.toEqual(refusal('not_a_directory'));
      const failures = await Promise.allSettled(['d/none', 'f/x', `${'x'.repeat(300)}`].map(path => workspace.readFile(path, LIMIT)));
      for (const failure of failures) {
        expect(failure.status === 'rejected' && failure.reason.message).not.toContain(directory);
        expect(failure.status === 'rejected' && failure.reason).toBeInstanceOf(WorkspaceError);
      }
    });

    it('refuses a file over the limit and reads one of exactly the limit', async () => {
      await writeFile(inside('a'), 'x'.repeat(1024));
      await writeFile(inside('b'), 'x'.repeat(1025));
      expect(await workspace.readFile('a', LIMIT)).toHaveLength(1024);
      await expect(workspace.readFile('b', LIMIT)).rejects.toEqual(refusal('too_large'));
    });

    it('closes every descriptor that it opens', async () => {
      await writeFile(inside('a'), 'x');
      await symlink(outside, inside('leak'));
      await mkdir(inside('d'));
      const count = async () => (await readdir('/proc/self/fd')).length;
      const use = (path: string) => [
        workspace.readFile(path, LIMIT),
        workspace.readFile(path, { maxBytes: 0 }),
        workspace.list(path),
        workspace.stat(path),
      ];
      await Promise.allSettled(['a', 'd', 'leak', 'leak/secret.txt', 'none', 'a/x'].flatMap(use));
      const before = await count();
      for (let i = 0; i < 5; i += 1) await Promise.allSettled(['a', 'd', 'leak', 'leak/secret.txt', 'none', 'a/x'].flatMap(use));
      expect(await count()).toBe(before);
    });

    it('refuses a FIFO and a device without blocking', async () => {
      execFileSync('mkfifo', [inside('pipe')]);
      await expect(workspace.readFile('pipe', LIMIT)).rejects.toEqual(refusal('not_a_file'));
      await expect(workspace.writeFile('pipe', Buffer.from('x'))).rejects.toEqual(refusal('not_a_file'));
      expect(await workspace.stat('pipe')).toMatchObject({ kind: 'other' });
      await symlink('/dev/zero', inside('zero'));
      await expect(workspace.readFile('zero', LIMIT)).rejects.toEqual(refusal('outside'));
    });
  });

  describe('writing', () => {
    it('creates parent directories and reports whether the file is new', async () => {
      expect(await workspace.writeFile('a/b/c.txt', Buffer.from('1'))).toEqual({ created: true });
      expect(await workspace.writeFile('a/b/c.txt', Buffer.from('2'))).toEqual({ created: false });
      expect(await readFile(inside('a/b/c.txt'), 'utf8')).toBe('2');
      expect(await readdir(inside('a/b'))).toEqual(['c.txt']);
    });

    it('gives a new file mode 0644 and keeps the mode of an old one', async () => {
      await workspace.writeFile('new', Buffer.from('1'));
      await writeFile(inside('script'), '1');
      await chmod(inside('script'), 0o750);
      await workspace.writeFile('script', Buffer.from('2'));
      expect((await stat(inside('new'))).mode & 0o777).toBe(0o644);
      expect((await stat(inside('script'))).mode & 0o777).toBe(0o750);
    });

    it('replaces the whole file: a process that has it open still reads the old one', async () => {
      await writeFile(inside('a'), 'old');
      const reader = await open(inside('a'), 'r');
      await workspace.writeFile('a', Buffer.from('new'));
      expect(await reader.readFile('utf8')).toBe('old');
      await reader.close();
    });

    it('never shows a half-written file to a reader', async () => {
      const texts = ['a', 'b'].map(letter => letter.repeat(200_000));
      await workspace.writeFile('f', Buffer.from(texts[0] ?? ''));
      let writing = true;
      const writer = (async () => {
        for (let i = 0; i < 30; i += 1) await workspace.writeFile('f', Buffer.from(texts[i % 2] ?? ''));
        writing = false;
      })();
      while (writing) expect(texts).toContain(await readFile(inside('f'), 'utf8'));
      await writer;
    });

    it('protects what git executes, also through a symlink, in a nested repository and in another letter case', async () => {
      await mkdir(inside('.git/hooks'), { recursive: true });
      await mkdir(inside('sub/.git'), { recursive: true });
      await symlink('.git/hooks', inside('harmless'));
      for (const path of [
        '.git/hooks/pre-commit',
        '.git/config',
        '.GIT/Hooks/x',
        'sub/.git/config',
        '.git/modules/m/hooks/x',
        'harmless/pre-commit',
        '.git/commondir',
        'sub/.git',
      ]) {
        await expect(workspace.writeFile(path, Buffer.from('x'))).rejects.toEqual(refusal('protected'));
      }
      await workspace.writeFile('.git/description', Buffer.from('x'));
      await workspace.writeFile('hooks/config', Buffer.from('x'));
    });

    const onlyWithDescriptors = hasDescriptorPaths ? it : it.skip;

    onlyWithDescriptors('protects what git executes when a symlink replaces a directory after the walk', async () => {
      await mkdir(inside('.git/hooks'), { recursive: true });
      const walk = fs.realpath;
      const swapAfterWalk = async () => {
        await rm(inside('x'), { recursive: true, force: true });
        await mkdir(inside('x/hooks'), { recursive: true });
        await writeFile(inside('x/hooks/old'), '');
        jest.spyOn(fs, 'realpath').mockImplementationOnce(async path => {
          const real = await walk(path);
          await rename(inside('x'), inside('moved'));
          await symlink('.git', inside('x'));
          return real;
        });
      };
      const changes = [
        () => workspace.writeFile('x/hooks/old', Buffer.from('x')),
        () => workspace.removeFile('x/hooks/old'),
        () => workspace.removeDirectory('x/hooks/old'),
      ];
      for (const change of changes) {
        await swapAfterWalk();
        await writeFile(inside('.git/hooks/old'), 'kept');
        await expect(change()).rejects.toEqual(refusal('protected'));
        expect(await readFile(inside('.git/hooks/old'), 'utf8')).toBe('kept');
        await rm(inside('moved'), { recursive: true });
        jest.restoreAllMocks();
      }
      await swapAfterWalk();
      await expect(workspace.makeDirectory('x/hooks')).resolves.toEqual({ created: false });
      expect(await readdir(inside('.git'))).toEqual(['hooks']);
      jest.restoreAllMocks();
    });

    it('leaves no temporary file when it fails', async () => {
      await mkdir(inside('d'));
      await expect(workspace.writeFile('d', Buffer.from('x'))).rejects.toEqual(refusal('not_a_file'));
      await expect(workspace.writeFile('.', Buffer.from('x'))).rejects.toEqual(refusal('not_a_file'));
      expect(await readdir(workspace.root)).toEqual(['d']);
      expect(await readdir(inside('d'))).toEqual([]);
    });
  });

  it('removes files, but no directories, protected files, symlinks that lead out, or missing files', async () => {
    await writeFile(inside('a.txt'), 'x');
    await workspace.removeFile('a.txt');
    expect(await readdir(workspace.root)).toEqual([]);
    await expect(workspace.removeFile('a.txt')).rejects.toEqual(refusal('not_found'));
    await mkdir(inside('.git/hooks'), { recursive: true });
    await writeFile(inside('.git/hooks/pre-commit'), 'x');
    await symlink(join(outside, 'secret.txt'), inside('link'));
    await expect(workspace.removeFile('.git')).rejects.toEqual(refusal('protected'));
    await expect(workspace.removeFile('.git/hooks/pre-commit')).rejects.toEqual(refusal('protected'));
    await expect(workspace.removeFile('link')).rejects.toEqual(refusal('outside'));
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  });

  it('removes empty directories, but no others, no files, no protected ones, not the root, and none outside or missing', async () => {
    await workspace.makeDirectory('full/empty');
    await workspace.removeDirectory('full');
    expect((await workspace.list('full')).map(entry => entry.name)).toEqual(['empty']);
    await workspace.removeDirectory('full/empty');
    await workspace.removeDirectory('full');
    await writeFile(inside('a.txt'), 'x');
    await mkdir(inside('.git/hooks'), { recursive: true });
    expect((await readdir(workspace.root)).sort()).toEqual(['.git', 'a.txt']);
    const refused = { full: 'not_found', 'a.txt': 'not_a_directory', '.git/hooks': 'protected', '.': 'protected', '../x': 'outside' };
    for (const [path, code] of Object.entries(refused)) await expect(workspace.removeDirectory(path)).rejects.toEqual(refusal(code));
  });

  it('lists entries in name order with kind and size', async () => {
    await mkdir(inside('b'));
    await writeFile(inside('c'), 'xyz');
    await writeFile(inside('a'), '');
    expect(await workspace.list('.')).toMatchObject([
      { name: 'a', kind: 'file', size: 0 },
      { name: 'b', kind: 'directory', size: 0 },
      { name: 'c', kind: 'file', size: 3, modifiedAt: expect.any(Number) },
    ]);
  });

  it('reports not_found once its directory was removed, and does not go above it', async () => {
    await rm(workspace.root, { recursive: true });
    await expect(workspace.list('.')).rejects.toEqual(refusal('not_found'));
    await expect(workspace.writeFile('a', Buffer.from('x'))).rejects.toEqual(refusal('not_found'));
  });

  describe('locks', () => {
    it('run work on one file in the order of the calls, by any path, and continue after a failure', async () => {
      await writeFile(inside('a'), '');
      await symlink('a', inside('b'));
      const order: string[] = [];
      const work = (name: string) => async () => {
        order.push(`${name} starts`);
        await unlink(inside('none')).catch(() => {});
        order.push(`${name} ends`);
        if (name === '2') throw new Error('broken');
      };
      const results = await Promise.allSettled([
        workspace.withFileLock('a', work('1')),
        workspace.withFileLock(inside('a'), work('2')),
        workspace.withFileLock('b', work('3')),
      ]);
      expect(order).toEqual(['1 starts', '1 ends', '2 starts', '2 ends', '3 starts', '3 ends']);
      expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    });

    it('run work on different files in parallel', async () => {
      let release = () => {};
      const ended: string[] = [];
      const first = workspace.withFileLock('a', () => new Promise<void>(resolve => (release = resolve))).then(() => ended.push('a'));
      const second = workspace.withFileLock('b', async () => {}).then(() => ended.push('b'));
      await until(() => ended.length > 0);
      expect(ended).toEqual(['b']);
      release();
      await Promise.all([first, second]);
    });
  });
});
