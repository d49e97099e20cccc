/**
 * Scans and changes a workspace as a whole. Directories are opened before their entries are used, so that no symlink which a command puts in their place
 * leads out of the workspace. Left out: IGNORED folders at any depth, half-written files, symlinks that lead out, and what cannot be read or has more than MAX_FILE_BYTES.
 */
import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { lstat, open, readdir, readlink, rmdir, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix, resolve } from 'node:path';
import { WorkspaceError } from '../../../port/workspace';
import type { Replaced, Scan, ScannedFile, ScannedFiles, TreeContent } from '../../../port/workspace_tree';
import { contentHash } from '../../../utils/content_hash';
import { createYielder } from '../../../utils/yield_to_event_loop';
import { DiskCalls } from '../disk/disk_calls';
import { replaceFile } from '../disk/replace_file';
import {
  assertUnprotected,
  errorCode,
  ignoreNotEmpty,
  missingAsUndefined,
  openDirectory,
  openOrMakeDirectory,
  realTarget,
  type SafeDirectory,
} from '../disk/safe_path';
import { toWorkspaceError } from './workspace_errors';
import { STAGING } from './workspace_transfers';

/** Folders with many files that a program makes again, and `.git`, whose files git executes or obeys. */
const IGNORED: ReadonlySet<string> = new Set(['.git', 'node_modules', '.venv', '__pycache__']);
/** A file that is being replaced. */
const HALF_WRITTEN = /^\.[0-9a-f]{18}\.tmp$/;
/** Bytes of the largest file that is copied. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** A later change within this time may leave the time of a file as it is. */
const CLOCK_STEP_NS = 50_000_000n;
const OPEN_TO_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

type Entry = TreeContent & { file: ScannedFile };

/** Finds every file below `root`, an absolute path without symlinks. */
export async function scanTree(root: string, known: ScannedFiles, maxFiles: number): Promise<Scan> {
  const found: Scan = { files: new Map(), leftOut: [] };
  const yieldIfDue = createYielder();
  const folders = ['.'];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const directory = await openDirectory(root, join(root, folder)).catch(thrown => leaveOut(folder, thrown, known, found));
    if (!directory) continue;
    try {
      for (const entry of await readdir(directory.path, { withFileTypes: true })) {
        const path = posix.join(folder, entry.name);
        if (isLeftOut(path, entry.name)) continue;
        if (entry.isDirectory()) folders.push(path);
        else if (entry.isFile() || entry.isSymbolicLink()) await addFile(directory, path, known, found);
        if (found.files.size > maxFiles) throw tooMany(maxFiles);
        await yieldIfDue();
      }
    } finally {
      await directory.handle.close();
    }
  }
  return found;
}

async function addFile(directory: SafeDirectory, path: string, known: ScannedFiles, found: Scan): Promise<void> {
  const stats = await lstat(join(directory.path, posix.basename(path)), { bigint: true }).catch(missingAsUndefined);
  if (!stats) return;
  const before = known.get(path);
  if (before?.stamp !== undefined && before.stamp === stampOf(stats)) {
    found.files.set(path, before);
    return;
  }
  const entry = await readEntry(directory, path).catch(thrown => leaveOut(path, thrown, known, found));
  if (entry) found.files.set(path, entry.file);
}

/** Lets the files at or below a path that cannot be copied stay as they were known. A path that is gone has none. */
function leaveOut(path: string, thrown: unknown, known: ScannedFiles, { files, leftOut }: Scan): undefined {
  const isUnreadable = errorCode(thrown) === 'EACCES' || errorCode(thrown) === 'EPERM';
  if (!isUnreadable && !(thrown instanceof WorkspaceError && thrown.code === 'too_large')) return goneAsUndefined(thrown);
  leftOut.push(path);
  for (const [knownPath, file] of known)
    if (knownPath === path || knownPath.startsWith(`${path}/`)) files.set(knownPath, { ...file, stamp: undefined });
}

/** Reads one file below `root` as it is now; undefined when there is none that is copied. */
export async function readTreeFile(root: string, path: string): Promise<Entry | undefined> {
  const directory = await openDirectory(root, join(root, posix.dirname(path))).catch(goneAsUndefined);
  if (!directory) return undefined;
  try {
    return await readEntry(directory, path).catch(goneAsUndefined);
  } finally {
    await directory.handle.close();
  }
}

/** Rejects with `too_large` for a file that is not copied. */
async function readEntry(directory: SafeDirectory, path: string): Promise<Entry | undefined> {
  const place = join(directory.path, posix.basename(path));
  const stats = await lstat(place, { bigint: true });
  if (stats.isSymbolicLink()) {
    const target = await readlink(place);
    return leadsOut(path, target) ? undefined : toEntry(Buffer.from(target), stats);
  }
  if (!stats.isFile()) return undefined;
  if (stats.size > MAX_FILE_BYTES) throw tooLarge(path);
  const handle = await open(place, OPEN_TO_READ);
  try {
    const opened = await handle.stat({ bigint: true });
    return opened.isFile() ? toEntry(await handle.readFile(), opened) : undefined;
  } finally {
    await handle.close();
  }
}

function toEntry(bytes: Uint8Array, stats: BigIntStats): Entry {
  const isLink = stats.isSymbolicLink();
  const mode = isLink ? 0 : Number(stats.mode & 0o777n);
  return { bytes, mode, isLink, file: { hash: contentHash(bytes), size: bytes.length, mode, isLink, stamp: stampOf(stats) } };
}

/** Undefined for a file that has just changed: its next change may get the same time. */
function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string | undefined {
  if (BigInt(Date.now()) * 1_000_000n - ctimeNs < CLOCK_STEP_NS) return undefined;
  return [ino, size, mtimeNs, ctimeNs].map(part => part.toString(36)).join('-');
}

/** Writes or removes a path below `root`; see WorkspaceTree.replace. */
export async function replaceTreeFile(
  root: string,
  path: string,
  { before, content }: { before: ScannedFile | undefined; content: TreeContent | undefined },
): Promise<Replaced> {
  try {
    if (isLeftOut(path, posix.basename(path)) || (content?.isLink && leadsOut(path, targetOf(content)))) return content && 'unreplaceable';
    const target = await realTarget(root, join(root, dirname(path)));
    if (!content && target.missing.length > 0) return undefined;
    const directory = await openOrMakeDirectory(root, target);
    try {
      assertUnprotected(root, directory, basename(path));
      if (!isSame((await readEntry(directory, path).catch(goneAsUndefined))?.file, before)) return 'changed';
      if (!content) await unlink(join(directory.path, basename(path))).catch(missingAsUndefined);
      else await writeEntry(root, directory, { path, content });
      if (content) return (await readEntry(directory, path))?.file;
    } finally {
      await directory.handle.close();
    }
    await removeEmpty(root, dirname(path));
    return undefined;
  } catch (thrown) {
    if (isUnreplaceable(thrown)) return 'unreplaceable';
    throw toWorkspaceError(thrown, path);
  }
}

async function writeEntry(root: string, directory: SafeDirectory, { path, content }: { path: string; content: TreeContent }) {
  const name = basename(path);
  const place = join(directory.path, name);
  const old = await lstat(place).catch(missingAsUndefined);
  if (old?.isSymbolicLink() || (old && content.isLink)) await unlink(place);
  if (content.isLink) return symlink(targetOf(content), place);
  await replaceFile(directory, { name, data: content.bytes, shown: path }, new DiskCalls(root, false));
  const handle = await open(place, OPEN_TO_READ);
  try {
    await handle.chmod(content.mode & 0o777);
  } finally {
    await handle.close();
  }
}

async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let path = folder; path !== '.'; path = dirname(path)) {
    const parent = await openDirectory(root, join(root, dirname(path))).catch(goneAsUndefined);
    if (!parent) return;
    try {
      await rmdir(join(parent.path, basename(path))).catch(ignoreNotEmpty);
    } catch (thrown) {
      goneAsUndefined(thrown);
    } finally {
      await parent.handle.close();
    }
  }
}

/** Returns true for what another try would meet again. A missing directory or a full disk is not of this kind. */
const isUnreplaceable = (thrown: unknown): boolean =>
  thrown instanceof WorkspaceError
    ? thrown.code !== 'io' && thrown.code !== 'not_found'
    : ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(errorCode(thrown) ?? '');

const targetOf = ({ bytes }: TreeContent): string => Buffer.from(bytes).toString();

const isSame = (one: ScannedFile | undefined, other: ScannedFile | undefined): boolean =>
  one?.hash === other?.hash && one?.mode === other?.mode && one?.isLink === other?.isLink;

/** A name that is no UTF-8 cannot be stored. */
const isLeftOut = (path: string, name: string): boolean =>
  path.split('/').some(part => IGNORED.has(part.toLowerCase())) ||
  path.startsWith(`${STAGING}/`) ||
  HALF_WRITTEN.test(name) ||
  name.includes('\uFFFD');

function leadsOut(path: string, target: string): boolean {
  const from = resolve('/workspace', dirname(path));
  return isAbsolute(target) || !`${resolve(from, target)}/`.startsWith('/workspace/');
}

/** A command may remove or replace what a scan is about to read. */
function goneAsUndefined(thrown: unknown): undefined {
  const isGone = ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(thrown) ?? '');
  if (isGone || (thrown instanceof WorkspaceError && thrown.code === 'outside')) return undefined;
  throw thrown;
}

const tooLarge = (path: string): WorkspaceError =>
  new WorkspaceError('too_large', `${path} is larger than ${MAX_FILE_BYTES} bytes.`, `${path} 超过 ${MAX_FILE_BYTES} 字节。`);

const tooMany = (maxFiles: number): WorkspaceError =>
  new WorkspaceError(
    'too_large',
    `The workspace has more than ${maxFiles} files (NETA_WORKSPACE_SNAPSHOT_FILES).`,
    `工作区的文件超过 ${maxFiles} 个（NETA_WORKSPACE_SNAPSHOT_FILES）。`,
  );
