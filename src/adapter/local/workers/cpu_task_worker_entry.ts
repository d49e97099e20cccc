/** Entry of a worker thread: runs one CPU task and posts its result. */
import { parentPort, workerData } from 'node:worker_threads';
import { CPU_TASKS } from '../../../tools/cpu_tasks';
import type { CpuTaskJob } from './cpu_task_worker';

// Does nothing in the main thread, because Midway loads every module when it scans for components.
if (parentPort) {
  // Trusted: only cpu_task_worker starts this module.
  const { task, input } = workerData as CpuTaskJob;
  parentPort.postMessage((CPU_TASKS[task] as (input: unknown) => unknown)(input));
}
