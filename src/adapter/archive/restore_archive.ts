/** Restores archives into an empty gateway, and moves stores. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstanceId } from '../../port/instance_id';
import type { StoreParts } from '../sql/store_part';
import { ArchiveError, type ArchiveHeader, encode, FILES, filePathsOf, SETTINGS_PATH, tableOf } from './archive_form';
import { assertEmptyStore, assertStopped, assertUnused } from './empty_store';
import { type GatewayPlace, headerOf } from './make_archive';
import { openSnapshot } from './open_snapshot';
import { forgetPlacedLoad, readPlacedLoad } from './placed_load';
import { openPostgresStaging } from './postgres_staging';
import { type CheckedArchive, checkArchive, readEntries, readText } from './read_archive';
import { FileRestorer } from './restore_files';
import { type RowsPart, readParts } from './row_lines';
import { openSqliteStaging } from './sqlite_staging';
import { StagedStore, type StoreCheck } from './staged_store';
import { addressOf, describeAddress, isSameStore, type StoreAddress } from './store_address';
import type { StoreSnapshot } from './store_snapshot';

export interface LoadDeps {
  /** The owners and migrations of features. */
  parts: StoreParts;
  check: StoreCheck;
  identity: InstanceId;
}

export interface Restored {
  rows: number;
  files: number;
  /** Files of the configuration that the archive replaced, under their new names. */
  kept: readonly string[];
}

/** The settings of the gateway that made the backup, in the data directory, for the person who restores. */
const RESTORED_SETTINGS = 'restored-settings.json';

/** Checks the whole archive before it writes anything. An interrupted restore continues when it is called again. Rejects with an ArchiveError. */
export async function restoreArchive(file: string, place: GatewayPlace, deps: LoadDeps): Promise<Restored> {
  const { header, manifest, id } = await checkArchive(file);
  const address = addressOf(place);
  const files = new FileRestorer(place);
  const paths = Object.keys(manifest.entries).filter(path => path.startsWith(FILES));
  if ((await readPlacedLoad(address)) !== id) await restoreAll(file, { header, manifest, id, address, files, paths, place, deps });
  await files.end();
  await forgetPlacedLoad(address);
  return { rows: sumOf(manifest.rows), files: filePathsOf(manifest).length, kept: files.kept };
}

interface Restore extends CheckedArchive {
  address: StoreAddress;
  files: FileRestorer;
  /** Paths of the files in the archive. */
  paths: readonly string[];
  place: GatewayPlace;
  deps: LoadDeps;
}

async function restoreAll(file: string, { header, manifest, id, address, files, paths, place, deps }: Restore): Promise<void> {
  await assertEmptyStore(address, deps.identity);
  await files.begin(id, paths);
  const staged = await openStaged(address, header, id, deps);
  try {
    for await (const entry of readEntries(file)) {
      const { name } = entry.header;
      const table = tableOf(name);
      if (table !== undefined) await staged.load(layoutOf(header, table), name, Buffer.from(await readText(entry.body)));
      else if (name.startsWith(FILES)) await files.restore(entry);
      else if (name === SETTINGS_PATH) await writeFile(join(place.dataDir, RESTORED_SETTINGS), await readText(entry.body), { mode: 0o600 });
      else await readText(entry.body);
    }
    await files.finish();
    await staged.finish(manifest.rows, { loaded: deps.check, place: () => assertEmptyStore(address, deps.identity) });
  } finally {
    await staged.close();
  }
}

/** Loads the rows of a store into an empty one of either kind. An interrupted move continues when it is called again. Rejects with an ArchiveError. */
export async function moveStore(
  from: StoreAddress,
  to: StoreAddress,
  deps: LoadDeps & { version: string },
): Promise<Record<string, number>> {
  if (isSameStore(from, to)) throw new ArchiveError('The two stores are the same.');
  assertUnused(from);
  const snapshot = await openSnapshot(from);
  try {
    await assertStopped(snapshot, from, deps.identity);
    const header = headerOf(snapshot, deps.version);
    const id = createHash('sha256').update(encode(header)).update(describeAddress(from)).digest('hex');
    const rows = (await readPlacedLoad(to)) === id ? await countRows(snapshot) : await moveRows(snapshot, to, { header, id, deps });
    await snapshot.close();
    await forgetPlacedLoad(to);
    return rows;
  } finally {
    await snapshot.close();
  }
}

async function moveRows(
  snapshot: StoreSnapshot,
  to: StoreAddress,
  { header, id, deps }: { header: ArchiveHeader; id: string; deps: LoadDeps },
): Promise<Record<string, number>> {
  await assertEmptyStore(to, deps.identity);
  const staged = await openStaged(to, header, id, deps);
  try {
    const rows = await countRows(snapshot, part => staged.load(layoutOf(header, part.table), part.path, part.content));
    await staged.finish(rows, { loaded: deps.check, place: () => assertEmptyStore(to, deps.identity) });
    return rows;
  } finally {
    await staged.close();
  }
}

/** Resolves with the number of rows of each table. `use` is called with each part. */
async function countRows(snapshot: StoreSnapshot, use?: (part: RowsPart) => Promise<void>): Promise<Record<string, number>> {
  const rows = Object.fromEntries(snapshot.tables.map(({ name }) => [name, 0]));
  for await (const part of readParts(snapshot)) {
    await use?.(part);
    rows[part.table] = (rows[part.table] ?? 0) + part.rows;
  }
  return rows;
}

async function openStaged(address: StoreAddress, header: ArchiveHeader, id: string, { parts }: LoadDeps): Promise<StagedStore> {
  const staging = address.kind === 'sqlite' ? openSqliteStaging(address.path) : await openPostgresStaging(address.url);
  try {
    return await StagedStore.open(staging, { header, id, parts });
  } catch (thrown) {
    await staging.close();
    throw thrown;
  }
}

function layoutOf({ tables }: ArchiveHeader, name: string) {
  const layout = tables.find(table => table.name === name);
  if (!layout) throw new ArchiveError(`The header of the archive does not name the table ${name}.`);
  return layout;
}

const sumOf = (rows: Readonly<Record<string, number>>): number => Object.values(rows).reduce((sum, count) => sum + count, 0);
