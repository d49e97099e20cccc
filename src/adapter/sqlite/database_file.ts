/** Prepares the database file before SQLite opens it. */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates directory and file when they are missing, with access for the owner only: the database holds conversations. SQLite gives the files
 * beside it the same mode. Throws errors of the file system as they are.
 */
export function prepareDatabaseFile(path: string, warn: (message: string) => void): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  if ((statSync(path).mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o600);
  } catch {
    warn(`Other users can read the database ${path}, and its mode cannot be changed.`);
  }
}
