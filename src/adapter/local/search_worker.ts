/** Content search in threads: the event loop goes on, and a search that takes too long can be ended. */
import { join } from 'node:path';
import type { FileSearch, FileSearchOutcome, FileSearchRequest } from '../../port/file_search';
import { createThreadLanes } from '../thread_lanes';

export interface SearchWorkerOptions {
  /** The workspace. */
  root: string;
  /** Compiled module the threads run. Default: search_worker_entry beside this file. */
  entry?: string;
  /** Milliseconds after which a search answers with what it has; default 10,000. */
  budgetMs?: number;
}

/** What a thread is given as its workerData. */
export interface SearchJob {
  root: string;
  request: FileSearchRequest;
  budgetMs: number;
}

const MAX_HEAP_MIB = 384;
/** A line that takes long does not look at the clock; then the thread is ended. */
const GRACE_MS = 2_000;

export function createSearchWorker({
  root,
  entry = join(__dirname, 'search_worker_entry.js'),
  budgetMs = 10_000,
}: SearchWorkerOptions): FileSearch {
  const lanes = createThreadLanes<SearchJob, FileSearchOutcome>({ entry, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
  return {
    async search(request, signal) {
      const outcome = await lanes.run({ root, request, budgetMs }, budgetMs + GRACE_MS, signal);
      return 'answer' in outcome ? outcome.answer : { kind: 'overrun', by: outcome.overrun };
    },
    close: () => lanes.close(),
  };
}
