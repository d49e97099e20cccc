/** Counts the failures of a job when one of its runs ends, and pauses the job after too many in a row. */
import type { TerminalStatus } from '../../port/run_event';
import type { RunOutcome, RunRecord } from '../../port/store/runs';
import type { StoreTransaction } from '../../port/store/store';
import { changeJob, disabled } from './change_job';
import type { JobRecord } from './store/job_records';

/** Scheduled runs that fail in a row until the job is paused. */
const MAX_FAILURES = 5;

/** Records the end of a run in the transaction that stores it. Manual and cancelled runs do not count; a success sets the count back. */
export async function recordJobOutcome(
  tx: StoreTransaction,
  { tenantId, id: runId }: Pick<RunRecord, 'tenantId' | 'id'>,
  { status, error, now }: { status: TerminalStatus; error: RunOutcome['error']; now: number },
): Promise<void> {
  if (status === 'cancelled') return;
  const started = await tx.jobs.ofRun(tenantId, runId);
  if (!started || started.trigger === 'manual') return;
  await changeJob(tx, started.job, job => {
    if (status !== 'failed') return job.failures === 0 ? undefined : { ...job, failures: 0 };
    const failed = { ...job, failures: job.failures + 1, updatedAt: now };
    return failed.failures < MAX_FAILURES || !job.enabled ? failed : pausedJob(failed, reasonOf(job, error?.message));
  });
}

/** Returns the job as paused by the gateway. */
export const pausedJob = (job: JobRecord, pausedReason: string): JobRecord => ({ ...disabled(job), pausedReason });

function reasonOf({ locale }: JobRecord, error = ''): string {
  return locale === 'zh-CN'
    ? `连续 ${MAX_FAILURES} 次运行失败。最后一次的错误：${error}`
    : `${MAX_FAILURES} runs failed in a row. The last error: ${error}`;
}
