import type { StoreTransaction } from '../../port/store/store';
import type { JobRecord } from './store/job_records';

const MAX_TRIES = 5;

/**
 * Changes a job by compare-and-set, again when another process was faster. Resolves with the stored job; undefined when it does not exist or
 * `change` returns undefined.
 */
export async function changeJob(
  tx: StoreTransaction,
  { tenantId, id }: Pick<JobRecord, 'tenantId' | 'id'>,
  change: (job: JobRecord) => JobRecord | undefined,
): Promise<JobRecord | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const job = await tx.jobs.get(tenantId, id);
    const changed = job && change(job);
    if (!changed) return undefined;
    if (await tx.jobs.update(changed)) return { ...changed, version: changed.version + 1 };
  }
  throw new Error(`The job ${id} changed ${MAX_TRIES} times during one transaction.`);
}

/** Returns the job in the state in which it starts no run by itself. */
export function disabled({ nextRunAt: _next, queuedDueAt: _queued, ...job }: JobRecord): JobRecord {
  return { ...job, enabled: false };
}
