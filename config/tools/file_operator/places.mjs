/**
 * Keeps every path inside the allowed directories. Symlinks are resolved first, and each file is checked once more after it was opened: another
 * program may replace a directory by a symlink in between.
 */
import { constants } from 'node:fs';
import { mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isKeyFile, isProtected } from './protected_names.mjs';
import { Refusal } from './refusal.mjs';

/** Opening a pipe would wait for its other end, and a device may do anything. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Resolves with the real paths of the allowed directories. Relative paths begin in the first of them. Rejects with Refusal when none exists.
 * `allowed`: directories separated by commas; empty: the workspace.
 */
export async function openPlaces({ allowed, workspace, allowsKeyFiles }) {
  const named = allowed
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  const directories = named.length > 0 ? named.map(name => resolve(workspace, name)) : [workspace];
  const found = await Promise.all(directories.map(directory => realpath(directory).catch(() => undefined)));
  const roots = found.filter(path => path !== undefined);
  if (roots.length > 0) return { roots, allowsKeyFiles };
  throw new Refusal(
    'None of the directories in the setting allowed_directories exists. Tell the person.',
    '设置 allowed_directories 中的目录都不存在，请告知用户。',
  );
}

/** Opens a regular file for reading. `field`: the parameter with the path. Resolves with its handle, real path and size. */
export async function openFile(places, path, field) {
  const real = await existingPath(places, path, field);
  if (!places.allowsKeyFiles && isKeyFile(real)) throw keyFile(field, path);
  const handle = await open(real, READ).catch(error => {
    throw notOpened(error, field, path);
  });
  try {
    await assertInside(places, handle, { field, path });
    const stat = await handle.stat();
    if (!stat.isFile()) throw notAFile(field, path);
    return { handle, real, size: stat.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens a directory. Resolves with its handle and real path; `contentPath` reads this very directory, whatever happens to its name. */
export async function openDirectory(places, path, field) {
  const real = await existingPath(places, path, field);
  const handle = await open(real, READ | constants.O_DIRECTORY).catch(error => {
    throw error.code === 'ENOTDIR' ? notADirectory(field, path) : notOpened(error, field, path);
  });
  try {
    await assertInside(places, handle, { field, path });
    return { handle, real, contentPath: `/proc/self/fd/${handle.fd}` };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Creates a file that does not exist yet; undefined when the name is taken. `real`: a path from `newFilePath`. */
export async function createFile(places, real, { field, path }) {
  let handle;
  try {
    handle = await open(real, CREATE, 0o644);
  } catch (error) {
    if (error.code === 'EEXIST') return undefined;
    throw notOpened(error, field, path);
  }
  try {
    await assertInside(places, handle, { field, path });
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Makes the missing directories of a new file and resolves with its real path. */
export async function newFilePath(places, path, field) {
  const wanted = absolutePath(places, path, field);
  const { existing, missing } = await nearestExisting(places, dirname(wanted), { field, path });
  const directory = join(existing, ...missing);
  const real = join(directory, basename(wanted));
  if (isProtected(real)) throw protectedFile(field, path);
  if (!places.allowsKeyFiles && isKeyFile(real)) throw keyFile(field, path);
  await mkdir(directory, { recursive: true }).catch(error => {
    throw notOpened(error, field, path);
  });
  const made = await realpath(directory);
  if (!isInside(places, made)) throw outside(places, field, path);
  return join(made, basename(wanted));
}

/** Returns the path as a reader knows it: relative to the first allowed directory, or absolute in another one. */
export function shownPath({ roots: [first] }, real) {
  const short = relative(first, real);
  return short === '' ? '.' : short.startsWith('..') || isAbsolute(short) ? real : short;
}

async function existingPath(places, path, field) {
  const wanted = absolutePath(places, path, field);
  const real = await realpath(wanted).catch(async error => {
    // Gives the same answer for a path outside whether it exists or not, also behind a symlink.
    const target = await readlink(wanted).catch(() => basename(wanted));
    await nearestExisting(places, dirname(resolve(dirname(wanted), target)), { field, path });
    throw notOpened(error, field, path);
  });
  if (!isInside(places, real)) throw outside(places, field, path);
  return real;
}

async function nearestExisting(places, directory, { field, path }) {
  const missing = [];
  for (let at = directory; ; at = dirname(at)) {
    const existing = await realpath(at).catch(() => undefined);
    if (existing !== undefined) {
      if (!isInside(places, existing)) throw outside(places, field, path);
      return { existing, missing };
    }
    if (dirname(at) === at) throw outside(places, field, path);
    missing.unshift(basename(at));
  }
}

function absolutePath({ roots: [first] }, path, field) {
  if (path.trim() === '' || path.includes('\0')) throw new Refusal(`${field}: is no path.`, `${field}：不是有效的路径。`);
  return resolve(first, path);
}

async function assertInside(places, handle, { field, path }) {
  const real = await readlink(`/proc/self/fd/${handle.fd}`);
  if (!isInside(places, real)) throw outside(places, field, path);
}

const isInside = ({ roots }, real) => roots.some(root => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));

const outside = (places, field, path) =>
  new Refusal(
    `${field}: ${path} is not in an allowed directory. Allowed: ${places.roots.join(', ')}.`,
    `${field}：${path} 不在允许的目录中。允许的目录：${places.roots.join('、')}。`,
  );

const keyFile = (field, path) =>
  new Refusal(
    `${field}: ${path} may hold keys or passwords, so it is not opened. A person can allow such files in the settings of this tool.`,
    `${field}：${path} 可能含有密钥或密码，不予打开。用户可以在此工具的设置中允许。`,
  );

const protectedFile = (field, path) =>
  new Refusal(`${field}: ${path} controls git, so it is not written.`, `${field}：${path} 会影响 git 的行为，不予写入。`);

const notAFile = (field, path) => new Refusal(`${field}: ${path} is not a regular file.`, `${field}：${path} 不是普通文件。`);

const notADirectory = (field, path) => new Refusal(`${field}: ${path} is not a directory.`, `${field}：${path} 不是目录。`);

const REASONS = {
  ENOENT: ['does not exist', '不存在'],
  EEXIST: ['leads through something that is not a directory', '路径中有一部分不是目录'],
  ENOTDIR: ['leads through something that is not a directory', '路径中有一部分不是目录'],
  EACCES: ['may not be opened', '没有权限打开'],
  EPERM: ['may not be opened', '没有权限打开'],
  EROFS: ['cannot be written here', '此处不可写'],
  ELOOP: ['is a symlink that was changed while it was opened', '是符号链接，且在打开时被改动'],
  ENAMETOOLONG: ['has too long a name', '名称过长'],
  EISDIR: ['is a directory', '是目录'],
};

function notOpened(error, field, path) {
  const [en, zh] = REASONS[error.code] ?? [`cannot be opened (${error.code})`, `无法打开（${error.code}）`];
  return new Refusal(`${field}: ${path} ${en}.`, `${field}：${path} ${zh}。`);
}
