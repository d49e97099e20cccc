/** Makes archives of the data of this gateway while it runs. */
export interface BackupMaker {
  /** Directory of archives when none is named. */
  readonly directory: string;
  /** Name of this machine. */
  readonly machine: string;
  /** Makes an archive in the directory and verifies it. Rejects with a sentence for the operator, and then leaves no file. */
  make(directory: string): Promise<MadeBackup>;
  /** Deletes an archive. Resolves false when there is none on this machine. */
  remove(file: string): Promise<boolean>;
}

export interface MadeBackup {
  file: string;
  /** Size of the file. */
  bytes: number;
  rows: number;
  files: number;
  /** Files that changed while the backup read them, or could not be read. */
  incomplete: readonly string[];
}
