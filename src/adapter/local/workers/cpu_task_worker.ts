/** Runs CPU tasks in worker threads. */
import { join } from 'node:path';
import { type CpuTask, type CpuTaskInput, CpuTaskOverrun, type CpuTaskResult, type CpuTasks } from '../../../port/cpu_tasks';
import { createWorkerPool } from '../../worker_pool';

export interface CpuTaskWorkerOptions {
  /** Compiled entry module of the threads. Default: cpu_task_worker_entry beside this file. */
  entry?: string;
  /** Timeout of one task in milliseconds; default 5,000. */
  budgetMs?: number;
  /** Heap limit of one task in MiB; default 256. */
  heapMiB?: number;
}

/** The workerData of a thread. */
export interface CpuTaskJob {
  task: CpuTask;
  input: unknown;
}

/** Creates the runner of CPU tasks. Starts no thread before the first task. */
export function createCpuTaskWorker({
  entry = join(__dirname, 'cpu_task_worker_entry.js'),
  budgetMs = 5_000,
  heapMiB = 256,
}: CpuTaskWorkerOptions = {}): CpuTasks {
  const resourceLimits = { maxOldGenerationSizeMb: heapMiB };
  const pool = createWorkerPool<CpuTaskJob, unknown>({ entry, resourceLimits, isBare: true });
  return {
    async run<T extends CpuTask>(task: T, input: CpuTaskInput<T>, signal: AbortSignal) {
      const outcome = await pool.run({ task, input }, budgetMs, signal);
      if ('overrun' in outcome) throw new CpuTaskOverrun(outcome.overrun);
      // The thread ran the function of that name, so its result has that type.
      return outcome.answer as CpuTaskResult<T>;
    },
    close: () => pool.close(),
  };
}
