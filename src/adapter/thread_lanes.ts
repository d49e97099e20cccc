/** Heavy jobs in worker threads: the event loop goes on, and a job that takes too long or too much memory is given up. */
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { KeyedLock } from '../utils/keyed_lock';

export interface ThreadOptions {
  /** Compiled module the threads run: it takes its workerData as the job and posts one message, the answer. */
  entry: string;
  resourceLimits: ResourceLimits;
  /** No environment and no console: for threads that read what strangers wrote. */
  isBare?: boolean;
}

/** `overrun`: the budget of time or memory was used up. */
export type ThreadOutcome<Answer> = { answer: Answer } | { overrun: 'time' | 'memory' };

export interface ThreadLanes<Job, Answer> {
  /** Rejects with the signal's reason, at once, or when the thread fails. `budgetMs` counts from when the job begins. */
  run(job: Job, budgetMs: number, signal: AbortSignal): Promise<ThreadOutcome<Answer>>;
  /** Ends what is under way; resolves when no thread is left. */
  close(): Promise<void>;
}

/** Jobs that run at the same time; the others wait, so that memory stays bounded. */
const LANES = 2;

/** One thread for one job: what the job does to it ends with it. The types are the caller's word for what the entry takes and posts. */
export function createThreadLanes<Job, Answer>(options: ThreadOptions): ThreadLanes<Job, Answer> {
  const lanes = new KeyedLock();
  const closing = new AbortController();
  const jobs = Array.from({ length: LANES }, () => 0);
  return {
    async run(job, budgetMs, signal) {
      const lane = jobs.indexOf(Math.min(...jobs));
      const end = AbortSignal.any([signal, closing.signal]);
      end.throwIfAborted();
      return new Promise((resolve, reject) => {
        end.addEventListener('abort', () => reject(end.reason), { once: true });
        // The lane is free when the thread is gone; the answer does not wait for that.
        jobs[lane]! += 1;
        const done = lanes.run(String(lane), () => runThread<Answer>(options, { job, budgetMs, signal: end }, resolve));
        done.catch(reject).finally(() => {
          jobs[lane]! -= 1;
        });
      });
    },
    async close() {
      closing.abort(new Error('The gateway is stopping.'));
      await Promise.all(Array.from({ length: LANES }, (_, lane) => lanes.run(String(lane), async () => {})));
    },
  };
}

/** Resolves when the thread is gone. */
async function runThread<Answer>(
  { entry, resourceLimits, isBare }: ThreadOptions,
  { job, budgetMs, signal }: { job: unknown; budgetMs: number; signal: AbortSignal },
  onOutcome: (outcome: ThreadOutcome<Answer>) => void,
): Promise<void> {
  signal.throwIfAborted();
  const budget = AbortSignal.timeout(budgetMs);
  const worker = new Worker(entry, { workerData: job, resourceLimits, ...(isBare && { env: {}, stdout: true, stderr: true }) });
  try {
    onOutcome({ answer: await firstMessage(worker, AbortSignal.any([signal, budget])) });
  } catch (thrown) {
    signal.throwIfAborted();
    const isOutOfMemory = (thrown as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!budget.aborted && !isOutOfMemory) throw thrown;
    onOutcome({ overrun: budget.aborted ? 'time' : 'memory' });
  } finally {
    await worker.terminate();
  }
}

function firstMessage<Answer>(worker: Worker, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', code => reject(new Error(`The thread ended with code ${code}.`)));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
