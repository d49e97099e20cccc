/** Runs CPU tasks in worker threads. */
import { join } from 'node:path';
import { type CpuTask, type CpuTaskInput, CpuTaskOverrun, type CpuTaskResult, type CpuTasks } from '../../port/cpu_tasks';
import { createWorkerPool } from '../worker_pool';

export interface CpuTaskWorkerOptions {
  /** Compiled module the threads run. Default: cpu_task_worker_entry beside this file. */
  entry?: string;
  /** Milliseconds one piece of work may take; default 5,000. */
  budgetMs?: number;
  /** MiB of heap one piece of work may use; default 256. */
  heapMiB?: number;
}

/** What a thread is given as its workerData. */
export interface CpuTaskJob {
  task: CpuTask;
  input: unknown;
}

export function createCpuTaskWorker({
  entry = join(__dirname, 'cpu_task_worker_entry.js'),
  budgetMs = 5_000,
  heapMiB = 256,
}: CpuTaskWorkerOptions = {}): CpuTasks {
  const resourceLimits = { maxOldGenerationSizeMb: heapMiB };
  const lanes = createWorkerPool<CpuTaskJob, unknown>({ entry, resourceLimits, isBare: true });
  return {
    async run<T extends CpuTask>(task: T, input: CpuTaskInput<T>, signal: AbortSignal) {
      const outcome = await lanes.run({ task, input }, budgetMs, signal);
      if ('overrun' in outcome) throw new CpuTaskOverrun(outcome.overrun);
      // The thread ran the function of that name.
      return outcome.answer as CpuTaskResult<T>;
    },
    close: () => lanes.close(),
  };
}
