/** Entry of a worker thread: runs one page job and posts its result. */
import { parentPort, workerData } from 'node:worker_threads';
import { doPageJob, type PageJob } from './page_job';

// Does nothing in the main thread, because Midway loads every module when it scans for components.
if (parentPort) {
  const port = parentPort;
  // Trusted: only page_worker starts this module.
  void doPageJob(workerData as PageJob).then(answer => port.postMessage(answer));
}
