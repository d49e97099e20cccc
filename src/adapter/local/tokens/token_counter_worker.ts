/** Counts tokens in a worker thread: loading a tokenizer takes a few hundred milliseconds, and counting a megabyte as long again. */
import { join } from 'node:path';
import type { TokenCounter } from '../../../port/token_counter';
import { createWorkerPool } from '../../worker_pool';
import type { TokenCountJob } from './token_count_job';

export interface TokenCounterWorkerOptions {
  /** Compiled entry module of the thread. Default: token_counter_worker_entry beside this file. */
  entry?: string;
  /** Timeout of one count in milliseconds; default 15,000. */
  budgetMs?: number;
}

const MAX_HEAP_MIB = 256;
/** The attempts of a long run count again and again, a few messages at a time. */
const KEEP_MS = 30_000;

/** Creates the token counter. Starts no thread before the first count. */
export function createTokenCounterWorker({
  entry = join(__dirname, 'token_counter_worker_entry.js'),
  budgetMs = 15_000,
}: TokenCounterWorkerOptions = {}): TokenCounter {
  const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MIB };
  const pool = createWorkerPool<TokenCountJob, number[]>({ entry, resourceLimits, isBare: true, keepMs: KEEP_MS });
  return {
    async countTokens(model, texts, signal) {
      const outcome = await pool.run({ model, texts }, budgetMs, signal);
      if ('overrun' in outcome) throw new Error(`Counting tokens took more ${outcome.overrun} than is allowed.`);
      return outcome.answer;
    },
    close: () => pool.close(),
  };
}
