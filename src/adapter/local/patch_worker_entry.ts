/** What a patch thread runs: one patch, one answer. */
import { parentPort, workerData } from 'node:worker_threads';
import { patchBytes } from '../../tools/patch_bytes';
import type { PatchJob } from './patch_worker';

// The framework loads every module of the server when it looks for its components, so this one must do nothing in the main thread.
if (parentPort) {
  // Decoded by nature: only patch_worker starts this module.
  const { bytes, request } = workerData as PatchJob;
  parentPort.postMessage(patchBytes(bytes, request));
}
