/** What a page thread runs: one page, one answer. */
import { parentPort, workerData } from 'node:worker_threads';
import { doPageJob, type PageJob } from './page_job';

// Whoever loads every module of the server must be able to load this one without anything happening.
if (parentPort) {
  const port = parentPort;
  // Decoded by nature: only page_worker starts this module.
  void doPageJob(workerData as PageJob).then(answer => port.postMessage(answer));
}
