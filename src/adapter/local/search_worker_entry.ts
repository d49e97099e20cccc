/** What a search thread runs: one search, one answer. */
import { parentPort, workerData } from 'node:worker_threads';
import { searchTree } from '../../tools/files/search_tree';
import type { SearchJob } from './search_worker';
import { openWorkspace } from './workspace';

// The framework loads every module of the server when it looks for its components, so this one must do nothing in the main thread.
if (parentPort) void answer(workerData as SearchJob);

async function answer({ root, request, budgetMs }: SearchJob): Promise<void> {
  const endsAt = performance.now() + budgetMs;
  const limits = { signal: new AbortController().signal, isTimeUp: () => performance.now() > endsAt };
  parentPort?.postMessage(await searchTree(await openWorkspace(root), request, limits));
}
