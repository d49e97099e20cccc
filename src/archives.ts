/** Backs up, exports, restores and moves the data of a gateway, without starting one: for the command line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, type Settings } from '../config/settings';
import { type Backup, exportRows, type GatewayPlace, makeBackup } from './adapter/archive/make_archive';
import { moveStore, type Restored, restoreArchive } from './adapter/archive/restore_archive';
import type { StoreCheck } from './adapter/archive/staged_store';
import { readAddress } from './adapter/archive/store_address';
import { createInstanceId } from './adapter/local/node/instance_id';
import { storePartsOf } from './feature';
import { FEATURES } from './features';
import { checkAuditChain } from './service/audit/check_audit_chain';

/** The gateway of an environment. `root`: the directory of package.json. */
export interface GatewayData {
  /** Directory of backups when none is named. */
  backupDir: string;
  makeBackup(directory: string): Promise<Backup>;
  exportRows(file: string): Promise<{ rows: number }>;
  restore(file: string): Promise<Restored>;
  /** Resolves with the number of rows of each table. `from`, `to`: addresses of stores. */
  move(from: string, to: string): Promise<Record<string, number>>;
}

/** Finds the data of a gateway by its settings. Throws a SettingError when one of them is wrong; the functions reject with an ArchiveError. */
export function openGatewayData(env: NodeJS.ProcessEnv, root: string): GatewayData {
  const settings = readSettings(env, root);
  const place = placeOf(settings);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const deps = { parts: storePartsOf(FEATURES), check: checkAudit, identity: createInstanceId() };
  return {
    backupDir: join(place.dataDir, 'backups'),
    makeBackup: directory => makeBackup({ place, directory, version, settings: settings.listSettings(), now: new Date() }),
    exportRows: file => exportRows(place, file, version),
    restore: file => restoreArchive(file, place, deps),
    move: (from, to) => moveStore(readAddress(from, place), readAddress(to, place), { ...deps, version }),
  };
}

const placeOf = ({ dataDir, configDir, workspace, workspaceStore, databaseUrl }: Settings): GatewayPlace => ({
  dataDir,
  configDir,
  workspace,
  snapshotDir: workspaceStore.directory,
  databaseUrl,
});

const checkAudit: StoreCheck = async read => {
  const found = await checkAuditChain(read);
  return found.ok
    ? undefined
    : `The chain of the audit log is broken (${found.fault}) at ${found.id ?? 'its beginning'}: nothing was restored.`;
};
