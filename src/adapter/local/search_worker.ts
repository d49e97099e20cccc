/** Searches of the workspace, by content and by name, in threads: the event loop goes on, and a search that takes too long can be ended. */
import { join } from 'node:path';
import type { FileListOutcome, FileListRequest, FileSearch, FileSearchOutcome, FileSearchRequest } from '../../port/file_search';
import { createWorkerPool } from '../worker_pool';

export interface SearchWorkerOptions {
  /** The workspace. */
  root: string;
  /** Compiled module the threads run. Default: search_worker_entry beside this file. */
  entry?: string;
  /** Milliseconds after which a search answers with what it has; default 10,000. */
  budgetMs?: number;
}

/** What a thread is given as its workerData. */
export type SearchJob = { root: string; budgetMs: number } & (
  | { kind: 'search'; request: FileSearchRequest }
  | { kind: 'list'; request: FileListRequest }
);

const MAX_HEAP_MIB = 384;
/** A line that takes long does not look at the clock; then the thread is ended. */
const GRACE_MS = 2_000;

export function createSearchWorker({
  root,
  entry = join(__dirname, 'search_worker_entry.js'),
  budgetMs = 10_000,
}: SearchWorkerOptions): FileSearch {
  const lanes = createWorkerPool<SearchJob, FileSearchOutcome | FileListOutcome>({
    entry,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    isBare: true,
  });
  const run = async (job: SearchJob, signal: AbortSignal) => {
    const outcome = await lanes.run(job, budgetMs + GRACE_MS, signal);
    return 'answer' in outcome ? outcome.answer : { kind: 'overrun' as const, by: outcome.overrun };
  };
  return {
    // A thread answers in the kind of its job.
    search: (request, signal) => run({ kind: 'search', root, request, budgetMs }, signal) as Promise<FileSearchOutcome>,
    list: (request, signal) => run({ kind: 'list', root, request, budgetMs }, signal) as Promise<FileListOutcome>,
    close: () => lanes.close(),
  };
}
