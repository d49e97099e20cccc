/** Tells how old the newest backup is. */
export interface BackupStatus {
  /** The moment of the newest verified backup; undefined when there is none. */
  newestAt(): Promise<number | undefined>;
}

/** The value for gateways without the feature. */
export const NO_BACKUPS: BackupStatus = { newestAt: async () => undefined };
