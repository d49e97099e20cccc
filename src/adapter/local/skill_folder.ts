/** Reads one skill folder within limits. A symlink may lead to another place inside the folder, never out of it. */
import { constants, type Dirent, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, opendir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { SkillFileError, type SkillFolder } from '../../port/skill_files';
import { formatBytes } from '../../utils/format_bytes';
import { createYielder } from '../../utils/yield_to_event_loop';
import { assertInside, errorCode, isInside, missingAsUndefined } from './safe_path';

const MAX_ENTRIES = 1_000;
const MAX_DEPTH = 8;
const MAX_TOTAL_BYTES = 20 * 1024 * 1024;
const MAX_DOCUMENT_BYTES = 256 * 1024;
const MAX_PROBLEMS = 10;
const DOCUMENT = 'SKILL.md';

/** The contents of a folder. `directories`: the real paths of all its directories that were read, itself included. */
export type SkillFolderContent = Omit<SkillFolder, 'place' | 'version'> & { directories: readonly string[] };

/** Reads the list of files and SKILL.md. `directory` is the real path of the folder. */
export async function readSkillFolder(directory: string): Promise<SkillFolderContent> {
  const walk = new FolderWalk(directory);
  await walk.visit(directory, 0);
  const { files, stamps, problems, directories } = walk.toResult();
  const documentPath = files.includes(DOCUMENT) ? DOCUMENT : (files.find(path => path === 'skill.md') ?? DOCUMENT);
  const folder = { documentPath, files, stamps, problems, directories };
  if (!files.includes(documentPath)) return { ...folder, problems: [...problems, `${DOCUMENT}: is missing or not a regular file.`] };
  try {
    return { ...folder, document: await readSkillFile(directory, documentPath, { maxBytes: MAX_DOCUMENT_BYTES }) };
  } catch (thrown) {
    return { ...folder, problems: [...problems, `${documentPath}: ${thrown instanceof Error ? thrown.message : String(thrown)}`] };
  }
}

/** Reads a regular file inside the folder. Rejects with SkillFileError. */
export async function readSkillFile(directory: string, path: string, { maxBytes }: { maxBytes: number }): Promise<Buffer> {
  const absolute = safeJoin(directory, path);
  // Hidden files are no part of a skill: a copied folder may hold .git or .env.
  if (path.split('/').some(part => part.startsWith('.'))) throw noSuchFile();
  // Without O_NONBLOCK, opening a FIFO would wait for its writer.
  const handle = await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK).catch(rejectUnreadable);
  try {
    await assertInside(directory, handle.fd, absolute).catch(rejectOutside);
    const { size, isRegular } = await statOf(handle);
    if (!isRegular) throw noSuchFile();
    if (size > maxBytes)
      throw new SkillFileError('too_large', `The file has ${formatBytes(size)}; at most ${formatBytes(maxBytes)} are read.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Joins a relative path of plain components. Throws SkillFileError `outside` for `..`, absolute paths and the like. */
export function safeJoin(directory: string, path: string): string {
  const parts = path.split('/');
  const isPlain = parts.every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\\') && !part.includes('\0'));
  if (!isPlain) throw new SkillFileError('outside', 'The path must be relative to the skill and must not lead out of it.');
  return join(directory, ...parts);
}

const noSuchFile = (): SkillFileError => new SkillFileError('not_found', 'There is no such file in the skill.');

async function statOf(handle: FileHandle): Promise<{ size: number; isRegular: boolean }> {
  const stats = await handle.stat();
  return { size: stats.size, isRegular: stats.isFile() };
}

function rejectUnreadable(thrown: unknown): never {
  const code = errorCode(thrown);
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENXIO') throw noSuchFile();
  throw new SkillFileError('io', `The file cannot be read (${code ?? 'unknown error'}).`, { cause: thrown });
}

function rejectOutside(thrown: unknown): never {
  throw new SkillFileError('outside', 'The path leads out of the skill through a symbolic link.', { cause: thrown });
}

/** Collects the files of a folder and stops at the limits, so that a folder with a million files costs no more than one with a thousand. */
class FolderWalk {
  private readonly files: string[] = [];
  private readonly stamps: string[] = [];
  private readonly directories: string[] = [];
  private readonly problems: string[] = [];
  private readonly yieldIfDue = createYielder();
  private entries = 0;
  private bytes = 0;
  private isStopped = false;

  constructor(private readonly root: string) {}

  toResult(): Pick<SkillFolderContent, 'files' | 'problems' | 'directories'> & { stamps: readonly string[] } {
    return {
      files: this.files.sort(),
      stamps: this.stamps.sort(),
      problems: this.problems.slice(0, MAX_PROBLEMS),
      directories: this.directories,
    };
  }

  async visit(directory: string, depth: number): Promise<void> {
    const shown = relative(this.root, directory) || '.';
    if (depth > MAX_DEPTH) return this.stop(`${shown}: folders are nested deeper than ${MAX_DEPTH} levels.`);
    this.directories.push(directory);
    try {
      for await (const entry of await opendir(directory)) {
        this.entries += 1;
        if (this.entries > MAX_ENTRIES) this.stop(`${shown}: the skill has more than ${MAX_ENTRIES} files and folders.`);
        if (this.isStopped) return;
        if (!entry.name.startsWith('.')) await this.visitEntry(directory, entry, depth);
        await this.yieldIfDue();
      }
    } catch (thrown) {
      this.problems.push(`${shown}: cannot be read (${errorCode(thrown) ?? 'unknown error'}).`);
    }
  }

  private async visitEntry(directory: string, entry: Dirent, depth: number): Promise<void> {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return this.visit(path, depth + 1);
    if (entry.isFile()) {
      const stats = await lstat(path).catch(missingAsUndefined);
      return stats && this.addFile(path, stats);
    }
    if (entry.isSymbolicLink()) return this.visitLink(path);
    this.problems.push(`${relative(this.root, path)}: is not a regular file.`);
  }

  private async visitLink(path: string): Promise<void> {
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined || !isInside(this.root, target)) {
      this.problems.push(`${relative(this.root, path)}: is a symbolic link that leads out of the skill.`);
      return;
    }
    const stats = await stat(target);
    // A linked directory is not entered: its files are listed at their own place.
    if (stats.isFile()) this.addFile(path, stats);
  }

  private addFile(path: string, { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): void {
    const name = relative(this.root, path).split(sep).join('/');
    this.files.push(name);
    this.stamps.push(`${name} ${size} ${mtimeMs}`);
    this.bytes += size;
    if (this.bytes > MAX_TOTAL_BYTES) this.stop(`.: the files of the skill have more than ${formatBytes(MAX_TOTAL_BYTES)}.`);
  }

  private stop(problem: string): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.problems.push(problem);
  }
}
