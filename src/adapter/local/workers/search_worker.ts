/** Searches the workspace by content and by name in worker threads: a search does not hold the event loop, and can be ended. */
import { join } from 'node:path';
import type { FileListOutcome, FileListRequest, FileSearch, FileSearchOutcome, FileSearchRequest } from '../../../port/file_search';
import { createWorkerPool } from '../../worker_pool';

export interface SearchWorkerOptions {
  /** Real path of the workspace. */
  root: string;
  /** Compiled entry module of the threads. Default: search_worker_entry beside this file. */
  entry?: string;
  /** Milliseconds after which a search returns the matches found so far; default 10,000. */
  budgetMs?: number;
}

export interface LocalFileSearch extends FileSearch {
  /** Searches another directory in the same threads. */
  forRoot(root: string): Omit<FileSearch, 'close'>;
}

/** The workerData of a thread. */
export type SearchJob = { root: string; budgetMs: number } & (
  | { kind: 'search'; request: FileSearchRequest }
  | { kind: 'list'; request: FileListRequest }
);

const MAX_HEAP_MIB = 384;
/** Milliseconds after the budget when the thread is ended: it may be matching one slow line, without checking the time. */
const GRACE_MS = 2_000;
/** Starting a thread and loading its modules takes 60 ms of CPU time, and a model often searches several times in a row. */
const KEEP_MS = 10_000;

/** Creates the search below `root`, an absolute path. Starts no thread before the first search. */
export function createSearchWorker({
  root,
  entry = join(__dirname, 'search_worker_entry.js'),
  budgetMs = 10_000,
}: SearchWorkerOptions): LocalFileSearch {
  const pool = createWorkerPool<SearchJob, FileSearchOutcome | FileListOutcome>({
    entry,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    isBare: true,
    keepMs: KEEP_MS,
  });
  const run = async (job: SearchJob, signal: AbortSignal) => {
    const outcome = await pool.run(job, budgetMs + GRACE_MS, signal);
    return 'answer' in outcome ? outcome.answer : { kind: 'overrun' as const, by: outcome.overrun };
  };
  const searchIn = (place: string): Omit<FileSearch, 'close'> => ({
    // The outcome has the kind of the job.
    search: (request, signal) => run({ kind: 'search', root: place, request, budgetMs }, signal) as Promise<FileSearchOutcome>,
    list: (request, signal) => run({ kind: 'list', root: place, request, budgetMs }, signal) as Promise<FileListOutcome>,
  });
  return { ...searchIn(root), forRoot: searchIn, close: () => pool.close() };
}
