/** Entry of a worker thread: runs one CPU task and posts its result. */
import { parentPort, workerData } from 'node:worker_threads';
import { CPU_TASKS } from '../../tools/cpu_tasks';
import type { CpuTaskJob } from './cpu_task_worker';

// The framework loads every module of the server when it looks for its components, so this one must do nothing in the main thread.
if (parentPort) {
  // Decoded by nature: only cpu_task_worker starts this module.
  const { task, input } = workerData as CpuTaskJob;
  parentPort.postMessage((CPU_TASKS[task] as (input: unknown) => unknown)(input));
}
