/** Big patches in worker threads: the event loop goes on, and a patch that takes too long can be ended. */
import { join } from 'node:path';
import type { PatchEngine, PatchOutcome, PatchRequest } from '../../port/patch_engine';
import { createWorkerPool } from '../worker_pool';

export interface PatchWorkerOptions {
  /** Compiled module the threads run. Default: patch_worker_entry beside this file. */
  entry?: string;
  /** Milliseconds one patch may take; default 10,000. */
  budgetMs?: number;
}

/** What a thread is given as its workerData. */
export interface PatchJob {
  bytes: Uint8Array;
  request: PatchRequest;
}

const MAX_HEAP_MIB = 512;

export function createPatchWorker({
  entry = join(__dirname, 'patch_worker_entry.js'),
  budgetMs = 10_000,
}: PatchWorkerOptions = {}): PatchEngine {
  const lanes = createWorkerPool<PatchJob, PatchOutcome>({ entry, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
  return {
    async patch(bytes, request, signal) {
      const outcome = await lanes.run({ bytes, request }, budgetMs, signal);
      if ('answer' in outcome) return outcome.answer;
      const error = overrunText(outcome.overrun === 'time', budgetMs);
      return { kind: 'refused', refusal: { ok: false, code: 'too_large', error } };
    },
    close: () => lanes.close(),
  };
}

const overrunText = (isTime: boolean, budgetMs: number): string =>
  `Finding old_string took more ${isTime ? `than ${budgetMs / 1000} s` : 'memory than is allowed'} and was stopped. Quote fewer lines, exactly as the file has them.`;
