/** Entry of a worker thread: counts tokens and posts the numbers. */
import { parentPort, workerData } from 'node:worker_threads';
import { countTexts, type TokenCountJob } from './token_count_job';

// Does nothing in the main thread, because Midway loads every module when it scans for components.
if (parentPort) {
  const port = parentPort;
  const answer = (job: TokenCountJob) => port.postMessage(countTexts(job));
  port.on('message', answer);
  // Trusted: only token_counter_worker starts this module.
  answer(workerData as TokenCountJob);
}
