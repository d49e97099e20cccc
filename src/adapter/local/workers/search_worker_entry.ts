/** Entry of a worker thread: runs searches and posts their results. */
import { parentPort, workerData } from 'node:worker_threads';
import { listTree } from '../../../tools/files/list_tree';
import { searchTree } from '../../../tools/files/search_tree';
import { openWorkspace } from '../workspace/workspace';
import type { SearchJob } from './search_worker';

// Does nothing in the main thread, because Midway loads every module when it scans for components.
if (parentPort) {
  parentPort.on('message', answer);
  void answer(workerData as SearchJob);
}

async function answer(job: SearchJob): Promise<void> {
  const endsAt = performance.now() + job.budgetMs;
  const limits = { signal: new AbortController().signal, isTimeUp: () => performance.now() > endsAt };
  const workspace = await openWorkspace(job.root, { mayBlock: true });
  const outcome = job.kind === 'search' ? searchTree(workspace, job.request, limits) : listTree(workspace, job.request, limits);
  parentPort?.postMessage(await outcome);
}
