/** Locks a SQLite database that no process uses. */
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../sqlite/sqlite_errors';
import { ArchiveError } from './archive_form';

/** Milliseconds that the lock waits for a process that closes the database. */
const WAIT_MS = 500;

/**
 * Locks the database against every process until the caller calls the returned function. Throws an ArchiveError when a connection of any process to
 * the database is open: each one holds a shared lock of the file while it is in WAL mode, also in another container on the same machine.
 * Does nothing with a file that this user cannot write, or that is no database.
 */
export function lockDatabase(path: string): () => void {
  const database = new DatabaseSync(path);
  try {
    database.exec(`pragma busy_timeout = ${WAIT_MS}; pragma locking_mode = exclusive`);
    // The first read takes the lock.
    database.prepare('select count(*) from sqlite_schema').all();
    return () => database.close();
  } catch (thrown) {
    database.close();
    if (!isBusy(thrown)) return () => {};
    throw new ArchiveError(`A gateway runs on ${path}, or another program has it open: stop it first.`, { cause: thrown });
  }
}
