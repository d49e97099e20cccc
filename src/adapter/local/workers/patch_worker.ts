/** Runs large patches in worker threads: they do not hold the event loop, and one that takes too long can be ended. */
import { join } from 'node:path';
import type { PatchEngine, PatchOutcome, PatchRequest } from '../../../port/patch_engine';
import { createWorkerPool } from '../../worker_pool';

export interface PatchWorkerOptions {
  /** Compiled entry module of the threads. Default: patch_worker_entry beside this file. */
  entry?: string;
  /** Timeout of one patch in milliseconds; default 10,000. */
  budgetMs?: number;
}

/** The workerData of a thread. */
export interface PatchJob {
  bytes: Uint8Array;
  request: PatchRequest;
}

const MAX_HEAP_MIB = 512;

/** Creates the engine for large patches. Starts no thread before the first patch. */
export function createPatchWorker({
  entry = join(__dirname, 'patch_worker_entry.js'),
  budgetMs = 10_000,
}: PatchWorkerOptions = {}): PatchEngine {
  const pool = createWorkerPool<PatchJob, PatchOutcome>({ entry, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
  return {
    async patch(bytes, request, signal) {
      const outcome = await pool.run({ bytes, request }, budgetMs, signal);
      if ('answer' in outcome) return outcome.answer;
      return { kind: 'refused', refusal: { ok: false, code: 'too_large', ...overrunTexts(outcome.overrun === 'time', budgetMs) } };
    },
    close: () => pool.close(),
  };
}

const overrunTexts = (isTime: boolean, budgetMs: number): { error: string; errorZh: string } => ({
  error: `Finding old_string took more ${isTime ? `than ${budgetMs / 1000} s` : 'memory than is allowed'} and was stopped. Quote fewer lines, exactly as the file has them.`,
  errorZh: `查找 old_string ${isTime ? `超过 ${budgetMs / 1000} 秒` : '超出内存限度'}，已停止。请少引用几行，并与文件完全一致。`,
});
