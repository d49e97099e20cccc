/** What a page thread runs: one page, one answer. */
import { parentPort, workerData } from 'node:worker_threads';
import type { PageJob } from './page_job';

// Whoever loads every module of the server must be able to load this one without anything happening, the large libraries included.
if (parentPort) {
  const port = parentPort;
  // Decoded by nature: only page_worker starts this module.
  const job = workerData as PageJob;
  import('./page_job').then(({ doPageJob }) => doPageJob(job)).then(answer => port.postMessage(answer));
}
