/** Backs up, exports, restores, moves and checks the data of a gateway, without starting one: for the command line. */
import { hostname } from 'node:os';
import { readSettings } from '../config/settings';
import { ArchiveError } from './adapter/archive/archive_form';
import { backupDirectory, placeOf, removeArchive, versionIn } from './adapter/archive/backup_maker';
import { findInterruptedLoad } from './adapter/archive/interrupted_load';
import { exportRows, type GatewayPlace, makeBackup } from './adapter/archive/make_archive';
import { moveStore, type Restored, restoreArchive } from './adapter/archive/restore_archive';
import type { StoreCheck } from './adapter/archive/staged_store';
import { addressOf, readAddress } from './adapter/archive/store_address';
import { readOnce, writeOnce } from './adapter/archive/use_store';
import { createSystemClock } from './adapter/local/node/clock';
import { createIdSource } from './adapter/local/node/ids';
import { createInstanceId } from './adapter/local/node/instance_id';
import type { StorePlace } from './adapter/open_store';
import { createRehearsalDatabase, type RehearsalDatabase } from './adapter/postgres/rehearsal_database';
import type { StoreParts } from './adapter/sql/store_part';
import { storePartsOf } from './feature';
import { FEATURES } from './features';
import type { MadeBackup } from './port/backup_maker';
import { checkAuditChain } from './service/audit/check_audit_chain';
import { type Finding, found } from './service/status/doctor_checks';
import { outdatedBackups } from './utils/outdated_backups';

/** The migration of the list of backups and their schedule. */
const BACKUP_TABLES = ['backup_001_list_and_schedule'];

export interface BackupOrder {
  directory: string;
  /** Backups of the directory that stay; absent: all. */
  keep?: number;
  /** Milliseconds between two backups of the schedule, which the running gateway then keeps; 0 ends the schedule. Absent: it stays. */
  everyMs?: number;
}

/** The data of a gateway. */
export interface GatewayData {
  /** Directory of backups when none is named. */
  backupDir: string;
  makeBackup(order: BackupOrder): Promise<MadeBackup>;
  exportRows(file: string): Promise<{ rows: number }>;
  restore(file: string): Promise<Restored>;
  /** Resolves with the number of rows of each table. `from`, `to`: addresses of stores. */
  move(from: string, to: string): Promise<Record<string, number>>;
  /**
   * Creates a database for the rehearsal of an update, beside the Postgres of the gateway. Resolves with the reason when the server refuses it;
   * undefined when the gateway uses SQLite.
   */
  createRehearsalDatabase(): Promise<RehearsalDatabase | { refused: string } | undefined>;
  /** Looks for an interrupted restore, and makes the checks of features that need only rows. Leaves out a check when the store lacks its tables. */
  check(): Promise<StoredFinding[]>;
}

/** The findings of a check of the rows. */
export interface StoredFinding extends Finding {
  name: string;
}

/**
 * Finds the data of a gateway by its settings. `root`: the directory of package.json. Throws a SettingError when a setting is wrong; the functions
 * reject with an ArchiveError.
 */
export function openGatewayData(env: NodeJS.ProcessEnv, root: string): GatewayData {
  const settings = readSettings(env, root);
  const place = placeOf(settings);
  const version = versionIn(root);
  const deps = { parts: storePartsOf(FEATURES), check: checkAudit, identity: createInstanceId() };
  return {
    backupDir: backupDirectory(place),
    async makeBackup(order) {
      const now = new Date();
      const made = await makeBackup({ place, directory: order.directory, version, settings: settings.listSettings(), now });
      await noteBackup(place, deps.parts, { made, order, now: now.getTime() });
      return made;
    },
    exportRows: file => exportRows(place, file, version),
    restore: file => restoreArchive(file, place, deps),
    move: (from, to) => moveStore(readAddress(from, place), readAddress(to, place), { ...deps, version }),
    async createRehearsalDatabase() {
      return settings.databaseUrl === undefined ? undefined : createRehearsalDatabase(settings.databaseUrl, Date.now());
    },
    check: async () => [...(await checkLeftOver(place)), ...(await checkRows(place, deps.parts))],
  };
}

async function checkLeftOver(place: StorePlace): Promise<StoredFinding[]> {
  // The checks of the database say why it cannot be read.
  const left = await findInterruptedLoad(addressOf(place)).catch(() => undefined);
  if (left === undefined) return [];
  const en = `A restore or a move into this store was interrupted: call the command again, or delete what it has left (${left}).`;
  const zhCN = `向此存储的恢复或迁移曾被中断：请再次执行该命令，或删除其遗留内容（${left}）。`;
  return [{ name: 'restore', ...found('warn', en, zhCN) }];
}

async function checkRows(place: StorePlace, parts: StoreParts): Promise<StoredFinding[]> {
  const findings: StoredFinding[] = [];
  for (const { store, storedChecks = {} } of FEATURES) {
    const use = { address: addressOf(place), parts, needed: Object.keys(store?.migrations ?? {}) };
    for (const [name, check] of Object.entries(storedChecks)) {
      const finding = await readOnce(use, read => check(read, Date.now())).catch(failed);
      if (finding) findings.push({ name, ...finding });
    }
  }
  return findings;
}

function failed(thrown: unknown): Finding {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return found('fail', message, message);
}

/** Tells the store about a backup and its schedule, and deletes what the new archive replaces. */
async function noteBackup(
  place: GatewayPlace,
  parts: StoreParts,
  { made, order, now }: { made: MadeBackup; order: BackupOrder; now: number },
): Promise<void> {
  const { directory, keep, everyMs } = order;
  const id = createIdSource(createSystemClock()).next('bak');
  const { incomplete: _, ...facts } = made;
  const isKnown = await writeOnce({ address: addressOf(place), parts, needed: BACKUP_TABLES }, async ({ backups }) => {
    await backups.add({ id, machine: hostname(), createdAt: now, ...facts });
    if (everyMs === 0) await backups.endSchedule();
    else if (everyMs !== undefined) await backups.setSchedule({ everyMs, keep, directory, changedAt: now });
    if (keep === undefined) return;
    for (const { id: outdated, file, machine } of outdatedBackups(await backups.list(), directory, keep)) {
      // The disk of another machine has its own archives.
      if ((await removeArchive(file)) || machine === hostname()) await backups.remove(outdated);
    }
  });
  if (!isKnown && everyMs !== undefined)
    throw new ArchiveError('The database is older than backups on a schedule: start this version of the gateway first.');
}

const checkAudit: StoreCheck = async read => {
  const found = await checkAuditChain(read);
  return found.ok
    ? undefined
    : `The chain of the audit log is broken (${found.fault}) at ${found.id ?? 'its beginning'}: nothing was restored.`;
};
