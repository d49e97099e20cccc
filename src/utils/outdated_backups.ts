/** Returns the backups of a directory that are more than `keep`. `backups`: the newest first. */
export const outdatedBackups = <B extends { file: string }>(backups: readonly B[], directory: string, keep: number): B[] =>
  backups.filter(({ file }) => file.slice(0, file.lastIndexOf('/')) === directory).slice(keep);
