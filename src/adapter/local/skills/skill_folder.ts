/** Reads one skill folder within limits. A symlink may lead to another place inside the folder, never out of it. */
import { constants, type Dirent, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, opendir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { SkillFileError, type SkillFolder } from '../../../port/skill_files';
import { type Bilingual, inBoth } from '../../../utils/bilingual';
import { formatBytes } from '../../../utils/format_bytes';
import { createYielder } from '../../../utils/yield_to_event_loop';
import { assertInside, errorCode, isInside, missingAsUndefined } from '../disk/safe_path';

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
  if (!files.includes(documentPath)) return { ...folder, problems: [...problems, NO_DOCUMENT] };
  try {
    return { ...folder, document: await readSkillFile(directory, documentPath, { maxBytes: MAX_DOCUMENT_BYTES }) };
  } catch (thrown) {
    const { en, 'zh-CN': zhCN } = thrown instanceof SkillFileError ? thrown.text : cannotBeRead(thrown);
    return { ...folder, problems: [...problems, inBoth(`${documentPath}: ${en}`, `${documentPath}：${zhCN}`)] };
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
    if (size > maxBytes) throw new SkillFileError('too_large', tooLong(formatBytes(size), formatBytes(maxBytes)));
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Joins a relative path of plain components. Throws SkillFileError `outside` for `..`, absolute paths and the like. */
export function safeJoin(directory: string, path: string): string {
  const parts = path.split('/');
  const isPlain = parts.every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\\') && !part.includes('\0'));
  if (!isPlain) throw new SkillFileError('outside', NOT_RELATIVE);
  return join(directory, ...parts);
}

const noSuchFile = (): SkillFileError =>
  new SkillFileError('not_found', inBoth('There is no such file in the skill.', '技能中没有这个文件。'));

async function statOf(handle: FileHandle): Promise<{ size: number; isRegular: boolean }> {
  const stats = await handle.stat();
  return { size: stats.size, isRegular: stats.isFile() };
}

function rejectUnreadable(thrown: unknown): never {
  const code = errorCode(thrown);
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENXIO') throw noSuchFile();
  throw new SkillFileError('io', cannotBeRead(thrown), { cause: thrown });
}

function rejectOutside(thrown: unknown): never {
  throw new SkillFileError('outside', LEADS_OUT, { cause: thrown });
}

export const LEADS_OUT = inBoth('The path leads out of the skill through a symbolic link.', '该路径通过符号链接指向技能之外。');
const NOT_RELATIVE = inBoth(
  'The path must be relative to the skill and must not lead out of it.',
  '路径必须相对于技能的文件夹，且不能离开它。',
);
const NO_DOCUMENT = inBoth(`${DOCUMENT}: is missing or not a regular file.`, `${DOCUMENT}：缺少该文件，或它不是普通文件。`);
const tooLong = (size: string, most: string): Bilingual =>
  inBoth(`The file has ${size}; at most ${most} are read.`, `文件有 ${size}；最多读取 ${most}。`);
const cannotBeRead = (thrown: unknown): Bilingual =>
  inBoth(`The file cannot be read (${errorCode(thrown) ?? 'unknown error'}).`, `文件无法读取（${errorCode(thrown) ?? '未知错误'}）。`);

/** Collects the files of a folder and stops at the limits, so that a folder with a million files costs no more than one with a thousand. */
class FolderWalk {
  private readonly files: string[] = [];
  private readonly stamps: string[] = [];
  private readonly directories: string[] = [];
  private readonly problems: Bilingual[] = [];
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
    if (depth > MAX_DEPTH)
      return this.stop(
        inBoth(`${shown}: folders are nested deeper than ${MAX_DEPTH} levels.`, `${shown}：文件夹嵌套超过 ${MAX_DEPTH} 层。`),
      );
    this.directories.push(directory);
    try {
      for await (const entry of await opendir(directory)) {
        this.entries += 1;
        if (this.entries > MAX_ENTRIES)
          this.stop(
            inBoth(
              `${shown}: the skill has more than ${MAX_ENTRIES} files and folders.`,
              `${shown}：技能的文件和文件夹超过 ${MAX_ENTRIES} 个。`,
            ),
          );
        if (this.isStopped) return;
        if (!entry.name.startsWith('.')) await this.visitEntry(directory, entry, depth);
        await this.yieldIfDue();
      }
    } catch (thrown) {
      const code = errorCode(thrown);
      this.problems.push(inBoth(`${shown}: cannot be read (${code ?? 'unknown error'}).`, `${shown}：无法读取（${code ?? '未知错误'}）。`));
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
    const shown = relative(this.root, path);
    this.problems.push(inBoth(`${shown}: is not a regular file.`, `${shown}：不是普通文件。`));
  }

  private async visitLink(path: string): Promise<void> {
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined || !isInside(this.root, target)) {
      const shown = relative(this.root, path);
      this.problems.push(inBoth(`${shown}: is a symbolic link that leads out of the skill.`, `${shown}：是指向技能之外的符号链接。`));
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
    const most = formatBytes(MAX_TOTAL_BYTES);
    if (this.bytes > MAX_TOTAL_BYTES)
      this.stop(inBoth(`.: the files of the skill have more than ${most}.`, `.：技能的文件合计超过 ${most}。`));
  }

  private stop(problem: Bilingual): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.problems.push(problem);
  }
}
