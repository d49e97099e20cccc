/** Reads pages in worker threads: a page does not hold the event loop, and ends when it exceeds its time or memory. */
import { join } from 'node:path';
import { type FetchedPage, type PageExtractor, type SearchHit, WebError } from '../../port/web';
import { createWorkerPool } from '../worker_pool';
import type { PageJob, PageJobAnswer } from './page_job';

export interface PageWorkerOptions {
  /** Compiled entry module of the threads. Default: page_worker_entry beside this file. */
  entry?: string;
  /** Timeout of one page in milliseconds; default 5,000. */
  budgetMs?: number;
  /** Timeout in milliseconds for the plain text of a page that exceeded the first one; default 3,000. */
  plainBudgetMs?: number;
}

export interface PageWorker extends PageExtractor {
  /** Reads the hits on a result page of the DuckDuckGo provider. */
  readResults(page: FetchedPage, signal: AbortSignal): Promise<SearchHit[]>;
  close(): Promise<void>;
}

export function createPageWorker({
  entry = join(__dirname, 'page_worker_entry.js'),
  budgetMs = 5_000,
  plainBudgetMs = 3_000,
}: PageWorkerOptions = {}): PageWorker {
  const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
  const pool = createWorkerPool<PageJob, PageJobAnswer>({ entry, resourceLimits, isBare: true });
  const run = async (job: PageJob, jobBudgetMs: number, signal: AbortSignal): Promise<PageJobAnswer> => {
    const outcome = await pool.run(job, jobBudgetMs, signal);
    return 'answer' in outcome ? outcome.answer : { overrun: true };
  };
  return {
    async extract(page, type, signal) {
      let answer = await run({ kind: 'extract', page, type }, budgetMs, signal);
      if ('overrun' in answer) answer = await run({ kind: 'plain', page, type }, plainBudgetMs, signal);
      if ('page' in answer) return answer.page;
      throw refusalOf(answer);
    },
    async readResults(page, signal) {
      const answer = await run({ kind: 'results', page }, budgetMs, signal);
      if ('hits' in answer) return answer.hits;
      throw refusalOf(answer);
    },
    close: () => pool.close(),
  };
}

function refusalOf(answer: PageJobAnswer): WebError {
  if ('refused' in answer) return new WebError(answer.refused.code, answer.refused.message, answer.refused.messageZh);
  return new WebError(
    'unreadable',
    'Reading the page took more time or memory than is allowed and was given up.',
    '读取页面所用的时间或内存超出限制，已放弃。',
  );
}
