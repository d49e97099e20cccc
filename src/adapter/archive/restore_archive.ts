/** Restores archives into an empty gateway, and moves stores. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstanceId } from '../../port/instance_id';
import type { StoreParts } from '../sql/store_part';
import { ArchiveError, type ArchiveHeader, encode, FILES, SETTINGS_PATH, tableOf } from './archive_form';
import { assertEmptyStore, assertStopped, assertUnused } from './empty_store';
import { type GatewayPlace, headerOf } from './make_archive';
import { openSnapshot } from './open_snapshot';
import { openPostgresStaging } from './postgres_staging';
import { checkArchive, readEntries, readText } from './read_archive';
import { FileRestorer } from './restore_files';
import { readParts } from './row_lines';
import { openSqliteStaging } from './sqlite_staging';
import { StagedStore, type StoreCheck } from './staged_store';
import { addressOf, describeAddress, isSameStore, type StoreAddress } from './store_address';

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
  await assertEmptyStore(address, deps.identity);
  const files = new FileRestorer(place);
  const paths = Object.keys(manifest.entries).filter(path => path.startsWith(FILES));
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
  await files.end();
  return { rows: sumOf(manifest.rows), files: paths.length, kept: files.kept };
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
    await assertEmptyStore(to, deps.identity);
    const header = headerOf(snapshot, deps.version);
    const id = createHash('sha256').update(encode(header)).update(describeAddress(from)).digest('hex');
    const staged = await openStaged(to, header, id, deps);
    try {
      const rows = Object.fromEntries(header.tables.map(({ name }) => [name, 0]));
      for await (const part of readParts(snapshot)) {
        await staged.load(layoutOf(header, part.table), part.path, part.content);
        rows[part.table] = (rows[part.table] ?? 0) + part.rows;
      }
      await staged.finish(rows, { loaded: deps.check, place: () => assertEmptyStore(to, deps.identity) });
      return rows;
    } finally {
      await staged.close();
    }
  } finally {
    await snapshot.close();
  }
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
