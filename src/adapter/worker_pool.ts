/** Runs heavy jobs in worker threads: a job does not hold the event loop, and ends when it exceeds its time or memory. */
import { type ResourceLimits, Worker } from 'node:worker_threads';

export interface WorkerOptions {
  /**
   * Compiled entry module of the threads. It reads the job from workerData and posts one message, the answer. With keepMs, further jobs come as
   * messages.
   */
  entry: string;
  resourceLimits: ResourceLimits;
  /** No environment and no console, for threads that read untrusted content. */
  isBare?: boolean;
  /** Milliseconds that a thread waits for another job before it ends; default 0. Jobs of one thread share its memory. */
  keepMs?: number;
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

/** Starts one thread per job, so that a job leaves no state behind, unless keepMs says otherwise. The caller vouches that the entry takes `Job` and posts `Answer`. */
export function createWorkerPool<Job, Answer>(options: WorkerOptions): WorkerPool<Job, Answer> {
  const slots = new ParallelLimit();
  const threads = new Threads(options);
  const closing = new AbortController();
  return {
    async run(job, budgetMs, signal) {
      const end = AbortSignal.any([signal, closing.signal]);
      end.throwIfAborted();
      return new Promise((resolve, reject) => {
        const giveUp = () => reject(end.reason);
        end.addEventListener('abort', giveUp);
        // The slot is freed when the thread has ended; the answer does not wait for that.
        const done = slots.use(() => runJob<Answer>(threads, { job, budgetMs, signal: end }, resolve));
        // Remove the listener: a long-lived signal would keep the job in memory.
        done.catch(reject).finally(() => end.removeEventListener('abort', giveUp));
      });
    },
    async close() {
      closing.abort(new Error('The gateway is stopping.'));
      await slots.allFree();
      await threads.endIdle();
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

/** Starts threads and keeps idle ones for the next job. */
class Threads {
  /** Idle thread -> the timer that ends it. */
  private readonly idle = new Map<Worker, NodeJS.Timeout>();

  constructor(private readonly options: WorkerOptions) {}

  /** Returns a thread that has begun the job. */
  start(job: unknown): Worker {
    const [kept] = this.idle.keys();
    if (!kept) return this.create(job);
    this.forget(kept);
    kept.ref();
    kept.postMessage(job);
    return kept;
  }

  /** Takes back a thread whose job has been answered; resolves when the thread is kept or has ended. */
  async putBack(worker: Worker): Promise<void> {
    const { keepMs = 0 } = this.options;
    if (keepMs === 0) return this.end(worker);
    worker.unref();
    this.idle.set(worker, setTimeout(() => void this.end(worker), keepMs).unref());
  }

  async endIdle(): Promise<void> {
    await Promise.all([...this.idle.keys()].map(worker => this.end(worker)));
  }

  private create(job: unknown): Worker {
    const { entry, resourceLimits, isBare } = this.options;
    const worker = new Worker(entry, { workerData: job, resourceLimits, env: isBare ? {} : undefined, stdout: isBare, stderr: isBare });
    // An idle thread that fails only ends; without a listener its error would end the process.
    return worker.on('error', () => {}).on('exit', () => this.forget(worker));
  }

  private async end(worker: Worker): Promise<void> {
    this.forget(worker);
    await worker.terminate();
  }

  private forget(worker: Worker): void {
    clearTimeout(this.idle.get(worker));
    this.idle.delete(worker);
  }
}

/** Runs one job on a thread. Resolves when the thread has ended or is kept. */
async function runJob<Answer>(
  threads: Threads,
  { job, budgetMs, signal }: { job: unknown; budgetMs: number; signal: AbortSignal },
  onOutcome: (outcome: WorkerOutcome<Answer>) => void,
): Promise<void> {
  signal.throwIfAborted();
  const budget = AbortSignal.timeout(budgetMs);
  const worker = threads.start(job);
  let isAnswered = false;
  try {
    onOutcome({ answer: await firstMessage(worker, AbortSignal.any([signal, budget])) });
    isAnswered = true;
  } catch (thrown) {
    signal.throwIfAborted();
    const isOutOfMemory = (thrown as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!budget.aborted && !isOutOfMemory) throw thrown;
    onOutcome({ overrun: budget.aborted ? 'time' : 'memory' });
  } finally {
    if (isAnswered && !signal.aborted) await threads.putBack(worker);
    else await worker.terminate();
  }
}

function firstMessage<Answer>(worker: Worker, signal: AbortSignal): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const onAbort = () => settle(() => reject(signal.reason));
    const onMessage = (answer: Answer) => settle(() => resolve(answer));
    const onError = (thrown: unknown) => settle(() => reject(thrown));
    const onExit = (code: number) => settle(() => reject(new Error(`The thread ended with code ${code}.`)));
    const settle = (how: () => void) => {
      signal.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      how();
    };
    signal.addEventListener('abort', onAbort);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}
