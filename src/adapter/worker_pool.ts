/** Heavy jobs in worker threads: the event loop goes on, and a job that takes too long or too much memory is given up. */
import { type ResourceLimits, Worker } from 'node:worker_threads';

export interface WorkerOptions {
  /** Compiled module the threads run: it takes its workerData as the job and posts one message, the answer. */
  entry: string;
  resourceLimits: ResourceLimits;
  /** No environment and no console: for threads that read what strangers wrote. */
  isBare?: boolean;
}

/** `overrun`: the budget of time or memory was used up. */
export type WorkerOutcome<Answer> = { answer: Answer } | { overrun: 'time' | 'memory' };

export interface WorkerPool<Job, Answer> {
  /** Rejects with the signal's reason, at once, or when the thread fails. `budgetMs` counts from when the job begins. */
  run(job: Job, budgetMs: number, signal: AbortSignal): Promise<WorkerOutcome<Answer>>;
  /** Ends what is under way; resolves when no thread is left. */
  close(): Promise<void>;
}

/** Jobs that run at the same time; the others wait, so that memory stays bounded. */
const LANES = 2;

/** One thread for one job: what the job does to it ends with it. The types are the caller's word for what the entry takes and posts. */
export function createWorkerPool<Job, Answer>(options: WorkerOptions): WorkerPool<Job, Answer> {
  const lanes = new Lanes();
  const closing = new AbortController();
  return {
    async run(job, budgetMs, signal) {
      const end = AbortSignal.any([signal, closing.signal]);
      end.throwIfAborted();
      return new Promise((resolve, reject) => {
        const giveUp = () => reject(end.reason);
        end.addEventListener('abort', giveUp);
        // The lane is free when the thread is gone; the answer does not wait for that.
        const done = lanes.use(() => runThread<Answer>(options, { job, budgetMs, signal: end }, resolve));
        // A signal keeps what listens to it, and the listener this job.
        done.catch(reject).finally(() => end.removeEventListener('abort', giveUp));
      });
    },
    async close() {
      closing.abort(new Error('The gateway is stopping.'));
      await lanes.allFree();
    },
  };
}

/** Lets LANES works run at a time, the others in the order they came. */
class Lanes {
  private readonly waiting: (() => void)[] = [];
  private readonly running = new Set<Promise<void>>();

  async use(work: () => Promise<void>): Promise<void> {
    while (this.running.size >= LANES) await new Promise<void>(resolve => this.waiting.push(resolve));
    const result = work();
    const over = result
      .catch(() => {})
      .finally(() => {
        this.running.delete(over);
        this.waiting.shift()?.();
      });
    this.running.add(over);
    return result;
  }

  async allFree(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }
}

/** Resolves when the thread is gone. */
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
