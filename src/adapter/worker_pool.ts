/** Runs heavy jobs in worker threads: a job does not hold the event loop, and ends when it exceeds its time or memory. */
import { type ResourceLimits, Worker } from 'node:worker_threads';

export interface WorkerOptions {
  /** Compiled entry module of the threads: it reads the job from workerData and posts one message, the answer. */
  entry: string;
  resourceLimits: ResourceLimits;
  /** No environment and no console, for threads that read untrusted content. */
  isBare?: boolean;
}

/** `overrun`: the job exceeded its time or memory. */
export type WorkerOutcome<Answer> = { answer: Answer } | { overrun: 'time' | 'memory' };

export interface WorkerPool<Job, Answer> {
  /** Rejects at once with the signal's reason, or when the thread fails. `budgetMs` counts from the start of the job. */
  run(job: Job, budgetMs: number, signal: AbortSignal): Promise<WorkerOutcome<Answer>>;
  /** Ends running jobs; resolves when no thread is left. */
  close(): Promise<void>;
}

/** Jobs that run at the same time; further ones wait, so that memory stays bounded. */
const MAX_PARALLEL = 2;

/** Starts one thread per job, so that a job leaves no state behind. The caller vouches that the entry takes `Job` and posts `Answer`. */
export function createWorkerPool<Job, Answer>(options: WorkerOptions): WorkerPool<Job, Answer> {
  const slots = new ParallelLimit();
  const closing = new AbortController();
  return {
    async run(job, budgetMs, signal) {
      const end = AbortSignal.any([signal, closing.signal]);
      end.throwIfAborted();
      return new Promise((resolve, reject) => {
        const giveUp = () => reject(end.reason);
        end.addEventListener('abort', giveUp);
        // The slot is freed when the thread has ended; the answer does not wait for that.
        const done = slots.use(() => runThread<Answer>(options, { job, budgetMs, signal: end }, resolve));
        // Remove the listener: a long-lived signal would keep the job in memory.
        done.catch(reject).finally(() => end.removeEventListener('abort', giveUp));
      });
    },
    async close() {
      closing.abort(new Error('The gateway is stopping.'));
      await slots.allFree();
    },
  };
}

/** Runs MAX_PARALLEL jobs at a time, the others in the order they came. */
class ParallelLimit {
  private readonly waiting: (() => void)[] = [];
  private readonly running = new Set<Promise<void>>();

  async use(job: () => Promise<void>): Promise<void> {
    while (this.running.size >= MAX_PARALLEL) await new Promise<void>(resolve => this.waiting.push(resolve));
    const result = job();
    const ended = result
      .catch(() => {})
      .finally(() => {
        this.running.delete(ended);
        this.waiting.shift()?.();
      });
    this.running.add(ended);
    return result;
  }

  async allFree(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }
}

/** Resolves when the thread has ended. */
async function runThread<Answer>(
  { entry, resourceLimits, isBare }: WorkerOptions,
  { job, budgetMs, signal }: { job: unknown; budgetMs: number; signal: AbortSignal },
  onOutcome: (outcome: WorkerOutcome<Answer>) => void,
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
  return new Promise<Answer>((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp);
    const settle = (how: () => void) => {
      signal.removeEventListener('abort', giveUp);
      how();
    };
    worker.once('message', answer => settle(() => resolve(answer)));
    worker.once('error', thrown => settle(() => reject(thrown)));
    worker.once('exit', code => settle(() => reject(new Error(`The thread ended with code ${code}.`))));
  });
}
