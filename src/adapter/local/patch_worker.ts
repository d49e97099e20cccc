/** Big patches in worker threads: the event loop goes on, and a patch that takes too long can be ended. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PatchEngine } from '../../tools/file_editing';
import type { PatchOutcome, PatchRequest } from '../../tools/patch_bytes';
import { KeyedLock } from '../../utils/keyed_lock';

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

/** Patches that run at the same time; the others wait, so that memory stays bounded. */
const LANES = 2;
const MAX_HEAP_MIB = 512;

export function createPatchWorker({
  entry = join(__dirname, 'patch_worker_entry.js'),
  budgetMs = 10_000,
}: PatchWorkerOptions = {}): PatchEngine {
  const lanes = new KeyedLock();
  const closing = new AbortController();
  let started = 0;
  return {
    patch(bytes, request, signal) {
      started += 1;
      const end = AbortSignal.any([signal, closing.signal]);
      return lanes.run(String(started % LANES), () => runJob({ entry, budgetMs, job: { bytes, request }, signal: end }));
    },
    async close() {
      closing.abort(new Error('The gateway is stopping.'));
      await Promise.all(Array.from({ length: LANES }, (_, lane) => lanes.run(String(lane), async () => {})));
    },
  };
}

interface JobRun {
  entry: string;
  budgetMs: number;
  job: PatchJob;
  signal: AbortSignal;
}

/** One thread for one patch: it starts in the time a big patch takes anyway, and leaves nothing behind. */
async function runJob({ entry, budgetMs, job, signal }: JobRun): Promise<PatchOutcome> {
  signal.throwIfAborted();
  const budget = AbortSignal.timeout(budgetMs);
  const worker = new Worker(entry, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
  try {
    return await firstMessage(worker, AbortSignal.any([signal, budget]));
  } catch (thrown) {
    signal.throwIfAborted();
    if (!budget.aborted && !isOutOfMemory(thrown)) throw thrown;
    return { kind: 'refused', refusal: { ok: false, code: 'too_large', error: overrunText(budget.aborted, budgetMs) } };
  } finally {
    await worker.terminate();
  }
}

function firstMessage(worker: Worker, signal: AbortSignal): Promise<PatchOutcome> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', code => reject(new Error(`The patch thread ended with code ${code}.`)));
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const isOutOfMemory = (thrown: unknown): boolean => (thrown as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

const overrunText = (isTime: boolean, budgetMs: number): string =>
  `Finding old_string took more ${isTime ? `than ${budgetMs / 1000} s` : 'memory than is allowed'} and was stopped. Quote fewer lines, exactly as the file has them.`;
