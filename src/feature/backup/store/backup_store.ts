/** The owner that backups add to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { createBackups } from './backup_migrations';
import { BackupTable } from './backup_table';

export const backupStore: StorePart = {
  migrations: { backup_001_list_and_schedule: { up: createBackups } },
  owners: { backups: db => new BackupTable(db) },
};
