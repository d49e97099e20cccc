/** Backups that were made and verified, and the schedule of backups. Times are milliseconds since 1970. */

export interface BackupRecord {
  id: string;
  /** Path of the archive on its machine. */
  file: string;
  /** Name of the machine that made the archive. */
  machine: string;
  /** Size of the archive. */
  bytes: number;
  /** Rows and files in the archive. */
  rows: number;
  files: number;
  /** The moment whose data the archive holds. */
  createdAt: number;
}

/** There is one, of all gateways on the store. */
export interface BackupSchedule {
  everyMs: number;
  /** Number of archives in the directory, older ones are deleted; absent: all stay. */
  keep?: number;
  /** Absent: `backups` in the data directory of the gateway that makes the backup. */
  directory?: string;
  changedAt: number;
  /** The gateway that makes a backup, and until when the others leave it alone. */
  claimedBy?: string;
  claimedUntil?: number;
  /** The last backup that failed; absent after one that succeeded. */
  failedAt?: number;
  error?: string;
}

export interface BackupReader {
  /** Lists the newest backup first, at most 1,000. */
  list(): Promise<BackupRecord[]>;
  newest(): Promise<BackupRecord | undefined>;
  schedule(): Promise<BackupSchedule | undefined>;
}

export interface BackupWriter {
  add(backup: BackupRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /** Replaces the schedule. */
  setSchedule(schedule: Pick<BackupSchedule, 'everyMs' | 'keep' | 'directory' | 'changedAt'>): Promise<void>;
  endSchedule(): Promise<void>;
  /** Resolves false when another gateway makes a backup, or there is no schedule. The claim of the same owner is renewed. */
  claim(claim: { owner: string; now: number; until: number }): Promise<boolean>;
  /** Ends the claim. `failure`: absent after a success. */
  endClaim(owner: string, failure?: { at: number; error: string }): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly backups: BackupReader;
  }
  interface StoreWriters {
    backups: BackupWriter;
  }
}
