/** Makes the backups of a running gateway in a thread. */
import { readFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BackupMaker, MadeBackup } from '../../port/backup_maker';
import type { BackupJob } from './backup_worker_entry';
import type { GatewayPlace } from './make_archive';

export interface BackupSource {
  place: GatewayPlace;
  /** The directory of package.json. */
  programDir: string;
  /** The settings without secrets. */
  listSettings(): object;
}

/** Takes the places out of the settings of a gateway. */
export const placeOf = ({
  dataDir,
  configDir,
  workspace,
  workspaceStore,
  databaseUrl,
}: Omit<GatewayPlace, 'snapshotDir'> & { workspaceStore: { directory?: string } }): GatewayPlace => ({
  dataDir,
  configDir,
  workspace,
  snapshotDir: workspaceStore.directory,
  databaseUrl,
});

/** Returns the directory of archives when none is named. */
export const backupDirectory = ({ dataDir }: Pick<GatewayPlace, 'dataDir'>): string => join(dataDir, 'backups');

/** Reads the version of the gateway. */
export const versionIn = (programDir: string): string =>
  (JSON.parse(readFileSync(join(programDir, 'package.json'), 'utf8')) as { version: string }).version;

export const createBackupMaker = ({ place, programDir, listSettings }: BackupSource): BackupMaker => ({
  directory: backupDirectory(place),
  machine: hostname(),
  make: directory => runInThread({ place, directory, version: versionIn(programDir), settings: listSettings() }),
  remove: removeArchive,
});

/** Deletes an archive. Resolves false when there is none on this machine. */
export async function removeArchive(file: string): Promise<boolean> {
  const isThere = (await stat(file).catch(() => undefined)) !== undefined;
  await rm(file, { force: true });
  return isThere;
}

function runInThread(job: BackupJob): Promise<MadeBackup> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(join(__dirname, 'backup_worker_entry.js'), { workerData: job });
    thread.on('message', resolve);
    thread.on('error', reject);
    thread.on('exit', code => reject(new Error(`the thread that makes a backup ended with ${code}`)));
  });
}
