/**
 * Moves the write-ahead log of a database into its file and empties the log, in a thread with a connection of its own: for a log of 500 MiB this
 * takes seconds. Most pages move while other connections write; emptying the log then holds the write lock for a moment.
 */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Readers of the old log keep it from being emptied; they end soon. */
const ATTEMPTS = 20;
const WAIT_MS = 20;
/** The most passes over a log to which other connections keep adding pages. */
const PASSES = 5;

interface Result {
  busy: number;
  log: number;
  checkpointed: number;
}

function emptyLog(path: string): boolean {
  const database = new DatabaseSync(path);
  try {
    // No waiting: waiting while the thread holds the write lock would hold up the gateway.
    database.exec('pragma synchronous = full; pragma busy_timeout = 0');
    const checkpoint = (mode: string) => database.prepare(`pragma wal_checkpoint(${mode})`).get() as unknown as Result;
    for (let i = 0; i < PASSES; i += 1) {
      const { log, checkpointed } = checkpoint('passive');
      if (checkpointed >= log) break;
    }
    for (let i = 0; i < ATTEMPTS; i += 1) {
      if (checkpoint('truncate').busy === 0) return true;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
    return false;
  } finally {
    database.close();
  }
}

parentPort?.postMessage(emptyLog(String(workerData)));
