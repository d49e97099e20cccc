/** Heavy work of the tools in threads. */
import { join } from 'node:path';
import { ToolInputError } from '../../tools/common';
import type { HeavyAnswer, HeavyInput, HeavyTask, HeavyWork } from '../../tools/cpu_tasks';
import { createThreadLanes } from '../worker_pool';

export interface HeavyWorkerOptions {
  /** Compiled module the threads run. Default: heavy_worker_entry beside this file. */
  entry?: string;
  /** Milliseconds one piece of work may take; default 5,000. */
  budgetMs?: number;
  /** MiB of heap one piece of work may use; default 256. */
  heapMiB?: number;
}

/** What a thread is given as its workerData. */
export interface HeavyJob {
  task: HeavyTask;
  input: unknown;
}

export function createHeavyWorker({
  entry = join(__dirname, 'heavy_worker_entry.js'),
  budgetMs = 5_000,
  heapMiB = 256,
}: HeavyWorkerOptions = {}): HeavyWork {
  const resourceLimits = { maxOldGenerationSizeMb: heapMiB };
  const lanes = createThreadLanes<HeavyJob, unknown>({ entry, resourceLimits, isBare: true });
  return {
    async run<T extends HeavyTask>(task: T, input: HeavyInput<T>, signal: AbortSignal) {
      const outcome = await lanes.run({ task, input }, budgetMs, signal);
      if ('overrun' in outcome) throw new ToolInputError(`This took more ${outcome.overrun} than is allowed. Give it less at a time.`);
      // The thread ran the function of that name.
      return outcome.answer as HeavyAnswer<T>;
    },
    close: () => lanes.close(),
  };
}
