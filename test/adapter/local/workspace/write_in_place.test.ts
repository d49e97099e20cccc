/** Files whose name must stay what it is: a mount of its own, a symlink. A hard link elsewhere is cut off. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, link, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspace } from '../../../../src/adapter/local/workspace/workspace';
import type { Workspace } from '../../../../src/port/workspace';

let root: string;
let workspace: Workspace;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'neta-place-'));
  workspace = await openWorkspace(root);
});

afterEach(() => rm(root, { recursive: true, force: true }));

const inside = (name: string) => join(root, name);

async function upload(path: string, text: string): Promise<void> {
  const pieces = async function* () {
    yield Buffer.from(text);
  };
  const staged = await workspace.stageFile(pieces(), { maxBytes: 100 });
  await staged.replace(path).finally(() => staged.discard());
}

const WRITERS: [string, (path: string, text: string) => Promise<unknown>][] = [
  ['writeFile', (path, text) => workspace.writeFile(path, Buffer.from(text))],
  ['an upload', upload],
];

it.each(WRITERS)(
  '%s keeps hard links beside the file, and leaves one elsewhere, which may be outside, as it was; mode and symlink stay',
  async (_, write) => {
    await writeFile(inside('a'), 'a long old text\n');
    await chmod(inside('a'), 0o750);
    await link(inside('a'), inside('b'));
    await symlink('a', inside('s'));
    await write('s', 'newer\n');
    expect(await readFile(inside('b'), 'utf8')).toBe('newer\n');
    await mkdir(inside('elsewhere'));
    await link(inside('a'), inside('elsewhere/c'));
    await write('s', 'new\n');
    expect(await readFile(inside('a'), 'utf8')).toBe('new\n');
    expect(await readFile(inside('elsewhere/c'), 'utf8')).toBe('newer\n');
    expect((await stat(inside('a'))).mode & 0o777).toBe(0o750);
    expect((await lstat(inside('s'))).isSymbolicLink()).toBe(true);
  },
);

const BUILT = join(__dirname, '../../../../dist/src/adapter/local/workspace/workspace.js');
const canMount = spawnSync('unshare', ['-Urm', 'true']).status === 0;
const whyNot = canMount
  ? existsSync(BUILT)
    ? undefined
    : 'dist is missing: run npm run build'
  : 'this user may not mount: unshare -Urm fails';
if (whyNot !== undefined) console.warn(`skipped: writes to mounted files (${whyNot})`);
const itMounts = whyNot === undefined ? it : it.skip;

/** Runs the body in namespaces of its own, where `host` is mounted over `w/notes`. */
function inMounts(body: string, options = ''): string {
  const script = `
    const { openWorkspace } = require(${JSON.stringify(BUILT)});
    (async () => { const w = await openWorkspace('w'); const from = async function* (t) { yield Buffer.from(t); }; ${body} })()
      .catch(e => console.log(e.code + ': ' + e.message));`;
  const mounts = `mount --bind host w/notes ${options} && exec "$0" -e "$1"`;
  return execFileSync('unshare', ['-Urm', 'sh', '-c', mounts, process.execPath, script], { cwd: root, encoding: 'utf8' });
}

describe('a file that is mounted alone', () => {
  beforeEach(() => {
    execFileSync('sh', ['-c', 'mkdir w; echo a long old text > host; chmod 640 host; : > w/notes'], { cwd: root });
  });

  itMounts('is written in place, by writeFile and by an upload', async () => {
    inMounts("await w.writeFile('notes', Buffer.from('one\\n'));");
    expect(await readFile(inside('host'), 'utf8')).toBe('one\n');
    inMounts("const s = await w.stageFile(from('two\\n'), { maxBytes: 9 }); await s.replace('notes'); await s.discard();");
    expect(await readFile(inside('host'), 'utf8')).toBe('two\n');
    expect((await stat(inside('host'))).mode & 0o777).toBe(0o640);
  });

  itMounts('is refused in words when the mount is read-only', async () => {
    const output = inMounts("await w.writeFile('notes', Buffer.from('one\\n'));", '&& mount -o remount,bind,ro w/notes');
    expect(output).toBe('io: notes lies on a read-only mount (EROFS): it can be read, but not written.\n');
    expect(await readFile(inside('host'), 'utf8')).toBe('a long old text\n');
  });
});
