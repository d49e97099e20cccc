/** Keeps skill folders in two directories: the operator's, which is only read, and one with a folder for each tenant. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AgentSkillPlace, SkillFileError, type SkillFiles, type SkillFolder, type SkillPlace } from '../../../port/skill_files';
import { inBoth } from '../../../utils/bilingual';
import { mapLimited } from '../../../utils/map_limited';
import { DirectoryWatch } from '../disk/directory_watch';
import { replaceOwnFile } from '../disk/replace_file';
import { errorCode, isInside, missingAsUndefined } from '../disk/safe_path';
import { LEADS_OUT, readSkillFile, safeJoin } from './skill_folder';
import { SkillFolderCache } from './skill_folder_cache';

export interface SkillDirectories {
  /** The operator's skills: `<config>/<name>/SKILL.md`. May be missing. */
  config: string;
  /** Skills of tenants: `<data>/<tenant>/<name>/SKILL.md`. */
  data: string;
}

/** The most folders of the operator, or of one tenant, that are read. */
const MAX_FOLDERS = 500;
const PARALLEL_FOLDERS = 4;
const DISABLED = '.disabled.json';
/** Prefix of the names of folders that are incomplete: a skill that is being removed, or a new skill that is being written. */
const REMOVED = '.removed-';
const NEW = '.new-';

/** Creates the directory of the tenants, so that it can be watched, and removes folders that a crash left half-written or half-removed. */
export async function openSkillFiles(directories: SkillDirectories, now: () => number = Date.now): Promise<SkillFiles> {
  await mkdir(directories.data, { recursive: true, mode: 0o700 });
  for (const tenantId of await folderNames(directories.data)) {
    const root = join(directories.data, tenantId);
    const left = (await readdir(root)).filter(name => name.startsWith(REMOVED) || name.startsWith(NEW));
    for (const name of left) await rm(join(root, name), { recursive: true, force: true });
  }
  return new LocalSkillFiles(directories, now);
}

class LocalSkillFiles implements SkillFiles {
  private readonly cache: SkillFolderCache;
  private changes: DirectoryWatch | undefined;

  constructor(
    private readonly directories: SkillDirectories,
    now: () => number,
  ) {
    this.cache = new SkillFolderCache(now);
  }

  async readFolders(known: ReadonlySet<string> = new Set()): Promise<SkillFolder[]> {
    // Watch first, so that a change during the reading is reported.
    await this.changes?.update();
    const { places, leftOut } = await this.listPlaces();
    this.cache.keepOnly(places);
    const folders = await mapLimited(places, PARALLEL_FOLDERS, place => this.readFolder(place, known));
    return [...folders.filter(folder => folder !== undefined), ...leftOut];
  }

  async readFile(place: SkillPlace, path: string, limits: { maxBytes: number }): Promise<Uint8Array> {
    const directory = await this.realFolder(place);
    if (directory === undefined) throw new SkillFileError('not_found', inBoth('There is no such skill.', '没有这个技能。'));
    return readSkillFile(directory, path, limits);
  }

  async writeFile(place: AgentSkillPlace, path: string, data: Uint8Array): Promise<void> {
    try {
      const root = this.rootOf(place);
      // A skill appears with its SKILL.md or not at all, so a new folder is filled under a hidden name first.
      const folder = await this.realFolder(place);
      if (folder !== undefined) return await replaceSynced(await realParent(folder, path), data);
      const hidden = join(root, `${NEW}${randomBytes(9).toString('hex')}`);
      await mkdir(hidden, { recursive: true, mode: 0o700 });
      try {
        await replaceSynced(safeJoin(hidden, path), data);
        await rename(hidden, join(root, place.name));
      } catch (thrown) {
        await rm(hidden, { recursive: true, force: true });
        throw thrown;
      }
      await syncDirectory(root);
    } catch (thrown) {
      if (thrown instanceof SkillFileError) throw thrown;
      throw failedTo(['The skill cannot be written', '技能无法写入'], thrown);
    }
  }

  async removeFolder(place: AgentSkillPlace): Promise<boolean> {
    const root = this.rootOf(place);
    const removed = join(root, `${REMOVED}${randomBytes(9).toString('hex')}`);
    try {
      await rename(join(root, place.name), removed);
    } catch (thrown) {
      if (errorCode(thrown) === 'ENOENT') return false;
      throw failedTo(['The skill cannot be removed', '技能无法删除'], thrown);
    }
    await syncDirectory(root);
    await rm(removed, { recursive: true, force: true });
    return true;
  }

  async readDisabledNames(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { data } = this.directories;
    const tenants = await folderNames(data);
    return new Map(await Promise.all(tenants.map(async id => [id, await readNames(join(data, id, DISABLED))] as const)));
  }

  async writeDisabledNames(tenantId: string, names: readonly string[]): Promise<void> {
    const directory = join(this.directories.data, tenantId);
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await replaceSynced(join(directory, DISABLED), Buffer.from(`${JSON.stringify(names)}\n`));
    } catch (thrown) {
      throw failedTo(['The switch cannot be stored', '开关无法保存'], thrown);
    }
  }

  watch(onChange: () => void): void {
    this.changes ??= new DirectoryWatch({ listDirectories: () => this.watchedDirectories(), onChange });
  }

  close(): void {
    this.changes?.close();
  }

  private async readFolder(place: SkillPlace, known: ReadonlySet<string>): Promise<SkillFolder | undefined> {
    try {
      const directory = await this.realFolder(place);
      return directory === undefined ? undefined : await this.cache.readFolder(place, directory, known);
    } catch (thrown) {
      const error = thrown instanceof SkillFileError ? thrown : failedTo(['The folder cannot be read', '文件夹无法读取'], thrown);
      const { en, 'zh-CN': zhCN } = error.text;
      const problems = [inBoth(`${place.name}: ${en}`, `${place.name}：${zhCN}`)];
      return { place, version: en, documentPath: 'SKILL.md', files: [], problems };
    }
  }

  /** `leftOut`: one folder with a problem for each source that has too many. */
  private async listPlaces(): Promise<{ places: SkillPlace[]; leftOut: SkillFolder[] }> {
    const { config, data } = this.directories;
    const own = (await folderNames(config)).map(name => ({ source: 'config' as const, name }));
    const tenants = await folderNames(data);
    const made = await Promise.all(
      tenants.map(async tenantId => (await folderNames(join(data, tenantId))).map(name => ({ source: 'agent' as const, tenantId, name }))),
    );
    const sources: SkillPlace[][] = [own, ...made];
    return { places: sources.flatMap(places => places.slice(0, MAX_FOLDERS)), leftOut: sources.flatMap(leftOutOf) };
  }

  /** The directories whose entries matter. While the operator has no skills, the parent reports that their directory appears. */
  private async watchedDirectories(): Promise<string[]> {
    const { config, data } = this.directories;
    const { places } = await this.listPlaces();
    const hasConfig = await stat(config).then(
      () => true,
      () => false,
    );
    const tenants = (await folderNames(data)).map(name => join(data, name));
    const folders = places.map(place => join(this.rootOf(place), place.name));
    // Scripts and references usually lie one level below the folder.
    const below = await mapLimited(folders, PARALLEL_FOLDERS, async folder => (await folderNames(folder)).map(name => join(folder, name)));
    return [hasConfig ? config : dirname(config), data, ...tenants, ...folders, ...below.flat()];
  }

  private rootOf(place: SkillPlace): string {
    return place.source === 'config' ? this.directories.config : join(this.directories.data, place.tenantId);
  }

  /** Resolves with undefined when there is no such folder. Throws `outside` for a link out of the directory of its source. */
  private async realFolder(place: SkillPlace): Promise<string | undefined> {
    const path = safeJoin(this.rootOf(place), place.name);
    const [root, real] = await Promise.all([this.rootOf(place), path].map(entry => realpath(entry).catch(() => undefined)));
    if (root === undefined || real === undefined) return undefined;
    if (!isInside(root, real)) throw new SkillFileError('outside', FOLDER_LEADS_OUT);
    return (await stat(real)).isDirectory() ? real : undefined;
  }
}

function leftOutOf(places: readonly SkillPlace[]): SkillFolder[] {
  const place = places[MAX_FOLDERS];
  if (!place) return [];
  const more = places.length - MAX_FOLDERS - 1;
  const problem = inBoth(
    `${place.name}: at most ${MAX_FOLDERS} folders are read; this one and ${more} more are left out.`,
    `${place.name}：最多读取 ${MAX_FOLDERS} 个文件夹；此文件夹和另外 ${more} 个未读取。`,
  );
  return [{ place, version: problem.en, documentPath: 'SKILL.md', files: [], problems: [problem] }];
}

/** Returns the names of folders and of links, without hidden ones, in name order. */
async function folderNames(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const shown = entries.filter(entry => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()));
  return shown.map(({ name }) => name).sort();
}

/** A file that is missing or damaged turns nothing off. */
async function readNames(path: string): Promise<string[]> {
  try {
    const names: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(names) ? names.filter(name => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

/** Returns the path of a file inside the folder and creates its directories. Throws `outside`. */
async function realParent(folder: string, path: string): Promise<string> {
  const absolute = safeJoin(folder, path);
  if (!isInside(folder, await existingParent(absolute))) throw leadsOut();
  await mkdir(dirname(absolute), { recursive: true, mode: 0o700 });
  const parent = await realpath(dirname(absolute));
  if (!isInside(folder, parent)) throw leadsOut();
  return join(parent, path.slice(path.lastIndexOf('/') + 1));
}

/** Returns the real path of the nearest directory above that exists. */
async function existingParent(path: string): Promise<string> {
  const parent = dirname(path);
  return (await realpath(parent).catch(missingAsUndefined)) ?? existingParent(parent);
}

const FOLDER_LEADS_OUT = inBoth('The folder is a symbolic link that leads out of the skills.', '文件夹是指向技能目录之外的符号链接。');
const leadsOut = (): SkillFileError => new SkillFileError('outside', LEADS_OUT);

function failedTo([en, zhCN]: readonly [en: string, zhCN: string], cause: unknown): SkillFileError {
  const code = errorCode(cause);
  return new SkillFileError('io', inBoth(`${en} (${code ?? 'unknown error'}).`, `${zhCN}（${code ?? '未知错误'}）。`), { cause });
}

async function replaceSynced(target: string, data: Uint8Array): Promise<void> {
  await replaceOwnFile(target, data);
  await syncDirectory(dirname(target));
}

/** Some file systems cannot sync a directory; the file itself is synced already. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  try {
    await handle?.sync().catch(() => {});
  } finally {
    await handle?.close();
  }
}
