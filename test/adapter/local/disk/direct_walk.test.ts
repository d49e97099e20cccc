import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { walkDirectly } from '../../../../src/adapter/local/disk/direct_walk';

let directory: string;
let root: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'neta-walk-')));
  root = join(directory, 'root');
  mkdirSync(join(root, 'a/b/c'), { recursive: true });
  mkdirSync(join(directory, 'outside'));
  for (const path of ['root/f', 'root/a/f', 'root/a/b/f', 'root/a/b/c/f', 'outside/f']) writeFileSync(join(directory, path), 'x');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Walks, and returns the path of what the descriptor refers to. */
function walk(path: string, flags = 0): string | undefined {
  const held = walkDirectly(root, join(root, path), flags);
  if (held === undefined) return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${held}`);
  } finally {
    closeSync(held);
  }
}

it.each(['f', 'a', 'a/f', 'a/b', 'a/b/f'])('holds %s', path => {
  expect(walk(path)).toBe(join(root, path));
});

it('holds the root, and a directory only when one is wanted', () => {
  expect(walk('', constants.O_DIRECTORY)).toBe(root);
  expect(walk('a', constants.O_DIRECTORY)).toBe(join(root, 'a'));
  expect(walk('f', constants.O_DIRECTORY)).toBeUndefined();
});

it('leaves symlinks at any step to the caller, also those that stay inside', () => {
  symlinkSync(join(directory, 'outside'), join(root, 'far'));
  symlinkSync('a', join(root, 'near'));
  symlinkSync('../f', join(root, 'a/link'));
  for (const path of ['far', 'far/f', 'near', 'near/f', 'near/b/f', 'a/link']) expect([path, walk(path)]).toEqual([path, undefined]);
  expect(walk('far', constants.O_DIRECTORY)).toBeUndefined();
});

it('leaves what is missing, what lies below a file, and what is far away to the caller', () => {
  for (const path of ['no', 'a/no', 'f/f', 'a/b/c/f']) expect([path, walk(path)]).toEqual([path, undefined]);
});

it('closes every other descriptor', () => {
  symlinkSync('f', join(root, 'a/b/link'));
  const count = () => readdirSync('/proc/self/fd').length;
  const before = count();
  for (const path of ['a/b/f', 'a/b/link', 'a/b/no', 'a/no/f']) walk(path);
  expect(count()).toBe(before);
});
