/** What a thread for heavy work runs: one task, one answer. */
import { parentPort, workerData } from 'node:worker_threads';
import { CPU_TASKS } from '../../tools/cpu_tasks';
import type { CpuTaskJob } from './cpu_task_worker';

// The framework loads every module of the server when it looks for its components, so this one must do nothing in the main thread.
if (parentPort) {
  // Decoded by nature: only heavy_worker starts this module.
  const { task, input } = workerData as CpuTaskJob;
  parentPort.postMessage((CPU_TASKS[task] as (given: unknown) => unknown)(input));
}
