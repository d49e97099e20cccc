/** Puts the files of an archive back into the places of a gateway. */
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TarHeader } from 'modern-tar';
import { ArchiveError, FILES } from './archive_form';
import { type FilePlaces, foldersOf, type PlaceFolder } from './place_files';
import type { ReadEntry } from './read_archive';

/** Names the archive whose restore has begun, so that only the same one continues it. */
const MARK = '.restoring';
const KEPT = '.before-restore';

export class FileRestorer {
  /** Files of the configuration that the archive replaced, under their new names. */
  readonly kept: string[] = [];
  private readonly folders: readonly PlaceFolder[];
  private readonly links: { path: string; target: string; folder: PlaceFolder }[] = [];
  private readonly directories: { path: string; header: TarHeader }[] = [];
  private readonly made = new Set<string>();

  constructor(private readonly places: FilePlaces) {
    this.folders = foldersOf(places);
  }

  /** Rejects with an ArchiveError when the places hold files, unless a restore of the same archive was interrupted. */
  async begin(id: string, paths: readonly string[]): Promise<void> {
    for (const path of paths) this.placeOf(path);
    const mark = join(this.places.dataDir, MARK);
    const begun = await readFile(mark, 'utf8').catch(() => undefined);
    if (begun === id) return;
    if (begun !== undefined)
      throw new ArchiveError(
        `The restore of another archive into ${this.places.dataDir} was interrupted: finish it, or use a new data directory.`,
      );
    for (const { name, directory } of this.folders) {
      if (name === 'config' || !paths.some(path => path.startsWith(`${FILES}${name}/`))) continue;
      const names = await readdir(directory).catch(() => []);
      if (names.length > 0) throw new ArchiveError(`The directory ${directory} is not empty: it has ${names[0]}.`);
    }
    await mkdir(this.places.dataDir, { recursive: true, mode: 0o700 });
    // As a whole: a part of the id would belong to another archive.
    await writeFile(`${mark}.new`, id, { mode: 0o600 });
    await rename(`${mark}.new`, mark);
  }

  /** Writes one entry. Links are made at the end, so that no file is written through one; then directories get their modes, which may forbid writing. */
  async restore({ header, body }: ReadEntry): Promise<void> {
    const { path, folder } = this.placeOf(header.name);
    if (header.type === 'symlink') {
      this.links.push({ path, target: header.linkname ?? '', folder });
    } else if (header.type === 'directory') {
      await this.makeDirectory(path, folder);
      this.directories.push({ path, header });
    } else {
      await this.makeDirectory(dirname(path), folder);
      const beside = `${path}.restoring`;
      // An interrupted restore may have left one that is read-only.
      await rm(beside, { force: true });
      await pipeline(Readable.from(body), createWriteStream(beside, { flags: 'wx', mode: 0o600, flush: true }));
      await setFacts(beside, header);
      if (folder.name === 'config') await this.keepOther(path, beside);
      await rename(beside, path);
    }
  }

  /** Makes the links, and gives the directories their modes. */
  async finish(): Promise<void> {
    for (const { path, target, folder } of this.links) {
      await this.makeDirectory(dirname(path), folder);
      await rm(path, { force: true });
      await symlink(target, path);
    }
    for (const { path, header } of this.directories) await setFacts(path, header);
  }

  /** Call it when the store is in its place. */
  async end(): Promise<void> {
    await rm(join(this.places.dataDir, MARK), { force: true });
  }

  /** Opens a directory to nobody else until `finish` gives it its own mode. An interrupted restore may have left one that is read-only. */
  private async makeDirectory(path: string, folder: PlaceFolder): Promise<void> {
    if (this.made.has(path)) return;
    this.made.add(path);
    await mkdir(path, { recursive: true, mode: 0o700 });
    if (path !== folder.directory) await chmod(path, 0o700);
  }

  /** The configuration is usually there, from `neta init`: a different file keeps its content under another name. */
  private async keepOther(path: string, restored: string): Promise<void> {
    const present = await readFile(path).catch(() => undefined);
    if (!present || present.equals(await readFile(restored)) || existsSync(`${path}${KEPT}`)) return;
    await rename(path, `${path}${KEPT}`);
    this.kept.push(`${path}${KEPT}`);
  }

  /** Throws an ArchiveError for a path that leads out of the places. */
  private placeOf(path: string): { path: string; folder: PlaceFolder } {
    const parts = path.slice(FILES.length).replace(/\/$/, '').split('/');
    const folder = this.folders.find(({ name }) => name === parts[0]);
    const below = parts.slice(1);
    if (
      !path.startsWith(FILES) ||
      below.length === 0 ||
      below.some(part => part === '' || part === '.' || part === '..' || part.includes('\0'))
    )
      throw new ArchiveError(`The archive has a file at a wrong place: ${path}.`);
    if (!folder) {
      const setting = parts[0] === 'snapshots' ? ': set NETA_WORKSPACE_STORE and its directory as they were' : '';
      throw new ArchiveError(`There is no place for the file ${path} of the archive${setting}.`);
    }
    return { path: join(folder.directory, ...below), folder };
  }
}

async function setFacts(path: string, { mode, mtime }: TarHeader): Promise<void> {
  // The umask has taken rights away.
  if (mode !== undefined) await chmod(path, mode);
  if (mtime) await utimes(path, mtime, mtime);
}
