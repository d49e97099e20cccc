/** Content search in threads: the event loop goes on, and a search that takes too long can be ended. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FileSearch, FileSearchOutcome, FileSearchRequest } from '../../port/file_search';
import { KeyedLock } from '../../utils/keyed_lock';

export interface SearchWorkerOptions {
  /** The workspace. */
  root: string;
  /** Compiled module the threads run. Default: search_worker_entry beside this file. */
  entry?: string;
  /** Milliseconds after which a search answers with what it has; default 10,000. */
  budgetMs?: number;
}

/** What a thread is given as its workerData. */
export interface SearchJob {
  root: string;
  request: FileSearchRequest;
  budgetMs: number;
}

/** Searches that run at the same time; the others wait, so that memory stays bounded. */
const LANES = 2;
const MAX_HEAP_MIB = 384;
/** A line that takes long does not look at the clock; then the thread is ended. */
const GRACE_MS = 2_000;

export function createSearchWorker({
  root,
  entry = join(__dirname, 'search_worker_entry.js'),
  budgetMs = 10_000,
}: SearchWorkerOptions): FileSearch {
  const lanes = new KeyedLock();
  const closing = new AbortController();
  let started = 0;
  return {
    search(request, signal) {
      started += 1;
      const end = AbortSignal.any([signal, closing.signal]);
      return lanes.run(String(started % LANES), () => runJob(entry, { root, request, budgetMs }, end));
    },
    async close() {
      closing.abort(new Error('The gateway is stopping.'));
      await Promise.all(Array.from({ length: LANES }, (_, lane) => lanes.run(String(lane), async () => {})));
    },
  };
}

async function runJob(entry: string, job: SearchJob, signal: AbortSignal): Promise<FileSearchOutcome> {
  signal.throwIfAborted();
  const budget = AbortSignal.timeout(job.budgetMs + GRACE_MS);
  const worker = new Worker(entry, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
  try {
    return await firstMessage(worker, AbortSignal.any([signal, budget]));
  } catch (thrown) {
    signal.throwIfAborted();
    if (budget.aborted) return { kind: 'overrun', by: 'time' };
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return { kind: 'overrun', by: 'memory' };
    throw thrown;
  } finally {
    await worker.terminate();
  }
}

function firstMessage(worker: Worker, signal: AbortSignal): Promise<FileSearchOutcome> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', code => reject(new Error(`The search thread ended with code ${code}.`)));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
