/** Jobs in threads of their own: the event loop goes on, and a job that takes too long or too much memory is ended. */
import { Worker } from 'node:worker_threads';
import { KeyedLock } from '../../utils/keyed_lock';

export interface ThreadLanesOptions {
  /** Compiled module a thread runs: it finds its job in workerData and posts one message, the answer. */
  entry: string;
  budgetMs: number;
  maxHeapMib: number;
}

export type ThreadAnswer<T> = { kind: 'answered'; answer: T } | { kind: 'overrun'; by: 'time' | 'memory' };

export interface ThreadLanes<Job, Answer> {
  /** Rejects with the signal's reason, with what the job throws, or when no thread can be started. */
  run(job: Job, signal: AbortSignal): Promise<ThreadAnswer<Answer>>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** Jobs that run at the same time; the others wait, so that memory stays bounded. */
const LANES = 2;

export function createThreadLanes<Job, Answer>(options: ThreadLanesOptions): ThreadLanes<Job, Answer> {
  const lanes = new KeyedLock();
  const closing = new AbortController();
  let started = 0;
  return {
    run(job, signal) {
      started += 1;
      const end = AbortSignal.any([signal, closing.signal]);
      return lanes.run(String(started % LANES), () => runJob<Answer>(job, options, end));
    },
    async close() {
      closing.abort(new Error('The gateway is stopping.'));
      await Promise.all(Array.from({ length: LANES }, (_, lane) => lanes.run(String(lane), async () => {})));
    },
  };
}

/** One thread for one job: what the job does to it ends with it. */
async function runJob<Answer>(
  job: unknown,
  { entry, budgetMs, maxHeapMib }: ThreadLanesOptions,
  signal: AbortSignal,
): Promise<ThreadAnswer<Answer>> {
  signal.throwIfAborted();
  const budget = AbortSignal.timeout(budgetMs);
  // No environment and no console: what runs there reads what strangers wrote.
  const limits = { env: {}, stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: maxHeapMib } };
  const worker = new Worker(entry, { workerData: job, ...limits });
  try {
    return { kind: 'answered', answer: await firstMessage<Answer>(worker, AbortSignal.any([signal, budget])) };
  } catch (thrown) {
    signal.throwIfAborted();
    if (budget.aborted) return { kind: 'overrun', by: 'time' };
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return { kind: 'overrun', by: 'memory' };
    throw thrown;
  } finally {
    await worker.terminate();
  }
}

function firstMessage<Answer>(worker: Worker, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', code => reject(new Error(`The thread ended with code ${code}.`)));
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
