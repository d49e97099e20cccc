/** Makes one backup in a thread, so that the event loop of the gateway is free. */
import { parentPort, workerData } from 'node:worker_threads';
import { type BackupOptions, makeBackup } from './make_archive';

/** The workerData. */
export type BackupJob = Omit<BackupOptions, 'now'>;

async function run(): Promise<void> {
  parentPort?.postMessage(await makeBackup({ ...(workerData as BackupJob), now: new Date() }));
}

// A rejection ends the thread with its error.
void run();
