/** Finds the run that an earlier request with the same key started. */
import { AppError } from '../../errors';
import type { RunRecord } from '../../port/store/runs';
import type { StoreReader, StoreTransaction } from '../../port/store/store';
import type { StartRequest } from './start_request';

/** Milliseconds in which a retry without a key of its own joins the run of the first try. */
const RETRY_MS = 10 * 60_000;

/** `now`: milliseconds since 1970. Rejects `idempotency_mismatch` when the fingerprints differ. */
export async function findEarlierRun(
  read: Pick<StoreReader, 'idempotencyKeys' | 'runs'>,
  { tenantId, idempotency }: Pick<StartRequest, 'tenantId' | 'idempotency'>,
  now: number,
): Promise<RunRecord | undefined> {
  if (!idempotency || idempotency.retry?.isRepeat === false) return undefined;
  const { key, formerKey, fingerprint, retry } = idempotency;
  const known = await read.idempotencyKeys.get(tenantId, key);
  if (known && retry && known.createdAt < now - RETRY_MS) return undefined;
  if (known && known.fingerprint !== fingerprint) throw new AppError('idempotency_mismatch');
  if (known) {
    const run = await read.runs.get(tenantId, known.runId);
    // This run was cancelled because its caller left; the retry shows that the caller still wants an answer, so a new run starts.
    return retry && run?.status === 'cancelled' ? undefined : run;
  }
  const former = formerKey === undefined ? undefined : await read.idempotencyKeys.get(tenantId, formerKey);
  return former?.fingerprint === fingerprint ? read.runs.get(tenantId, former.runId) : undefined;
}

/** Stores the key of the request, under which a repeated request finds the run. `now`: milliseconds since 1970. */
export async function storeRunKey(
  tx: Pick<StoreTransaction, 'idempotencyKeys'>,
  { tenantId, idempotency }: Pick<StartRequest, 'tenantId' | 'idempotency'>,
  runId: string,
  now: number,
): Promise<void> {
  if (!idempotency) return;
  const { key, fingerprint } = idempotency;
  await tx.idempotencyKeys.put({ tenantId, key, fingerprint, runId, createdAt: now });
}
