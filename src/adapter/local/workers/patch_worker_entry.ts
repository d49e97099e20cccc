/** Entry of a worker thread: runs one patch and posts its result. */
import { parentPort, workerData } from 'node:worker_threads';
import { patchBytes } from '../../../tools/patch_bytes';
import type { PatchJob } from './patch_worker';

// Does nothing in the main thread, because Midway loads every module when it scans for components.
if (parentPort) {
  // Trusted: only patch_worker starts this module.
  const { bytes, request } = workerData as PatchJob;
  parentPort.postMessage(patchBytes(bytes, request));
}
