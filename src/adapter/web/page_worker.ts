/** Pages read in worker threads: the event loop goes on, and a page that takes too long or too much memory is given up. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type FetchedPage, type PageExtractor, type SearchHit, WebError } from '../../port/web';
import { KeyedLock } from '../../utils/keyed_lock';
import type { PageJob, PageJobAnswer } from './page_job';

export interface PageWorkerOptions {
  /** Compiled module the threads run. Default: page_worker_entry beside this file. */
  entry?: string;
  /** Milliseconds one page may take; default 5,000. */
  budgetMs?: number;
  /** Milliseconds a page that took too long gets for its bare words; default 3,000. */
  plainBudgetMs?: number;
}

export interface PageWorker extends PageExtractor {
  /** The hits on a result page of the DuckDuckGo provider. */
  readResults(page: FetchedPage, signal: AbortSignal): Promise<SearchHit[]>;
  close(): Promise<void>;
}

/** Pages that are read at the same time; the others wait, so that memory stays bounded. */
const LANES = 2;
const MAX_HEAP_MIB = 256;

export function createPageWorker({
  entry = join(__dirname, 'page_worker_entry.js'),
  budgetMs = 5_000,
  plainBudgetMs = 3_000,
}: PageWorkerOptions = {}): PageWorker {
  const lanes = new KeyedLock();
  const closing = new AbortController();
  let started = 0;
  const run = (job: PageJob, jobBudgetMs: number, signal: AbortSignal) => {
    started += 1;
    const end = AbortSignal.any([signal, closing.signal]);
    const lane = String(started % LANES);
    return new Promise<PageJobAnswer>((resolve, reject) => {
      const onAbort = () => reject(end.reason);
      end.addEventListener('abort', onAbort, { once: true });
      // The lane is free when the thread is gone; the answer does not wait for that.
      lanes.run(lane, () => runJob({ entry, budgetMs: jobBudgetMs, job, signal: end }, resolve)).catch(reject);
    });
  };
  return {
    async extract(page, type, signal) {
      let answer = await run({ kind: 'extract', page, type }, budgetMs, signal);
      if ('overrun' in answer) answer = await run({ kind: 'plain', page, type }, plainBudgetMs, signal);
      if ('page' in answer) return answer.page;
      throw refusalOf(answer);
    },
    async readResults(page, signal) {
      const answer = await run({ kind: 'results', page }, budgetMs, signal);
      if ('hits' in answer) return answer.hits;
      throw refusalOf(answer);
    },
    async close() {
      closing.abort(new Error('The gateway is stopping.'));
      await Promise.all(Array.from({ length: LANES }, (_, lane) => lanes.run(String(lane), async () => {})));
    },
  };
}

function refusalOf(answer: PageJobAnswer): WebError {
  if ('refused' in answer) return new WebError(answer.refused.code, answer.refused.message);
  return new WebError('unreadable', 'Reading the page took more time or memory than is allowed and was given up.');
}

interface JobRun {
  entry: string;
  budgetMs: number;
  job: PageJob;
  signal: AbortSignal;
}

/** One thread for one page: what a page does to it ends with it. Resolves when the thread is gone. */
async function runJob({ entry, budgetMs, job, signal }: JobRun, onAnswer: (answer: PageJobAnswer) => void): Promise<void> {
  signal.throwIfAborted();
  const budget = AbortSignal.timeout(budgetMs);
  const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: 32 };
  // No environment and no console: what runs there reads what strangers wrote.
  const worker = new Worker(entry, { workerData: job, env: {}, stdout: true, stderr: true, resourceLimits });
  try {
    onAnswer(await firstMessage(worker, AbortSignal.any([signal, budget])));
  } catch (thrown) {
    signal.throwIfAborted();
    const isOutOfMemory = (thrown as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!budget.aborted && !isOutOfMemory) throw thrown;
    onAnswer({ overrun: true });
  } finally {
    await worker.terminate();
  }
}

function firstMessage(worker: Worker, signal: AbortSignal): Promise<PageJobAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', code => reject(new Error(`The page thread ended with code ${code}.`)));
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
