/** Backups on a schedule, and how old the newest one is. */
import type { Feature } from '../../feature';
import { BackupScheduler } from './backup_scheduler';
import { checkBackups } from './check_backups';
import { backupStore } from './store/backup_store';

export const backup: Feature = {
  name: 'backup',
  store: backupStore,
  storedChecks: { backup: checkBackups },
  install({ ports: { store, clock, ids, identity, logger, backupMaker: maker } }) {
    const scheduler = new BackupScheduler({ store, clock, ids, self: identity.self, maker, onError: logger.error });
    const newestAt = async () => (await store.read.backups.newest())?.createdAt;
    return {
      backupStatus: { newestAt },
      storedFigures: async () => {
        const at = await newestAt();
        return at === undefined ? [] : [{ metric: 'neta_backup_age_seconds', labels: [], value: Math.max(0, clock.now() - at) / 1000 }];
      },
      serve: () => scheduler.start(),
      stop: () => scheduler.stop(),
    };
  },
};
