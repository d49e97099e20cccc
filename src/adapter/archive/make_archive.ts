/** Makes backups and exports of a gateway, which may run meanwhile. */
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { MadeBackup } from '../../port/backup_maker';
import type { StorePlace } from '../open_store';
import { type ArchiveEntry, ownEntry } from './archive_entry';
import { ArchiveError, type ArchiveHeader, type ArchiveManifest, filePathsOf, SETTINGS_PATH } from './archive_form';
import { openSnapshot } from './open_snapshot';
import { type FilePlaces, readFiles } from './place_files';
import { checkArchive } from './read_archive';
import { addressOf, type StoreAddress } from './store_address';
import type { StoreSnapshot } from './store_snapshot';
import { writeArchive } from './write_archive';

export interface GatewayPlace extends StorePlace, FilePlaces {}

export interface BackupOptions {
  place: GatewayPlace;
  /** Directory of the archive, created when it is missing. */
  directory: string;
  /** Version of the gateway. */
  version: string;
  /** The settings without secrets, for the person who restores. */
  settings: object;
  now: Date;
}

/** Makes a backup, reads it back, and only then gives it its name. Rejects with a sentence for the operator, and leaves no file behind. */
export async function makeBackup({ place, directory, version, settings, now }: BackupOptions): Promise<MadeBackup> {
  await mkdir(resolve(directory), { recursive: true, mode: 0o700 });
  const file = await freeName(resolve(directory), now);
  await removeLeftOvers(dirname(file));
  const incomplete: string[] = [];
  async function* more(): AsyncIterable<ArchiveEntry> {
    yield ownEntry(SETTINGS_PATH, Buffer.from(`${JSON.stringify(settings, undefined, 1)}\n`));
    yield* readFiles(place, dirname(file), path => incomplete.push(path));
  }
  const manifest = await withSnapshot(addressOf(place), snapshot =>
    writeChecked(file, { header: headerOf(snapshot, version, now), snapshot, more: more(), incomplete }),
  );
  return { file, bytes: (await stat(file)).size, ...countsOf(manifest), incomplete };
}

/** Resolves with a path of no file: a second backup of the same second gets a number. */
async function freeName(directory: string, now: Date): Promise<string> {
  const stem = join(directory, `neta-backup-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`);
  for (let number = 1; ; number += 1) {
    const file = `${stem}${number === 1 ? '' : `-${number}`}.tar.zst`;
    if (!(await stat(file).catch(() => undefined))) return file;
  }
}

/** Writes the rows of the store alone. Equal rows make equal files. The name of the file says how it is compressed: .tar, .tar.gz, .tar.zst. */
export async function exportRows(place: StorePlace, file: string, version: string): Promise<{ rows: number }> {
  const manifest = await withSnapshot(addressOf(place), snapshot =>
    writeChecked(resolve(file), { header: headerOf(snapshot, version), snapshot }),
  );
  return { rows: countsOf(manifest).rows };
}

export const headerOf = ({ migrations, tables }: StoreSnapshot, gateway: string, now?: Date): ArchiveHeader => ({
  format: 'neta-gateway archive',
  formatVersion: 1,
  gateway,
  createdAt: now?.toISOString(),
  migrations: [...migrations],
  tables: [...tables],
});

async function withSnapshot<T>(address: StoreAddress, use: (snapshot: StoreSnapshot) => Promise<T>): Promise<T> {
  const snapshot = await openSnapshot(address);
  try {
    return await use(snapshot);
  } finally {
    await snapshot.close();
  }
}

const PARTIAL = '.partial-';
/** A backup that is being written changes its file all the time. */
const LEFT_OVER_MS = 3_600_000;

/** Deletes the files of backups whose process was killed. */
async function removeLeftOvers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (!name.startsWith(PARTIAL)) continue;
    const { mtimeMs = Date.now() } = (await stat(path).catch(() => undefined)) ?? {};
    if (Date.now() - mtimeMs > LEFT_OVER_MS) await rm(path, { force: true });
  }
}

async function writeChecked(file: string, content: Parameters<typeof writeArchive>[1]): Promise<ArchiveManifest> {
  if (await stat(file).catch(() => undefined)) throw new ArchiveError(`${file} exists already.`);
  // The end of the name stays, because it says how the file is compressed.
  const partial = join(dirname(file), `${PARTIAL}${process.pid}-${basename(file)}`);
  try {
    const manifest = await writeArchive(partial, content);
    await checkArchive(partial);
    await giveName(partial, file);
    await syncDirectory(dirname(file));
    return manifest;
  } catch (thrown) {
    await rm(partial, { force: true });
    const { code, message } = thrown as NodeJS.ErrnoException;
    if (thrown instanceof ArchiveError || code === undefined) throw thrown;
    throw new ArchiveError(`${file} cannot be written: ${message}.`, { cause: thrown });
  }
}

/** Renames the file, unless another process has taken the name meanwhile. File systems without hard links cannot tell. */
async function giveName(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
    await rm(partial);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') throw new ArchiveError(`${file} exists already.`, { cause: thrown });
    await rename(partial, file);
  }
}

/** Makes the new name last through a power failure. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

const countsOf = (manifest: ArchiveManifest) => ({
  rows: Object.values(manifest.rows).reduce((sum, count) => sum + count, 0),
  files: filePathsOf(manifest).length,
});
