/**
 * The locks of transactions. Transactions of several gateways run at the same time and read what is committed (READ COMMITTED), so a work declares what
 * it decides on. A store that runs one transaction at a time takes no lock. docs/transactions.md lists each work with its lock.
 */

/**
 * - `session`: the runs, the queue, the questions and the settings of one session. Also for a session that the work creates.
 * - `tenant`: a count or a limit over the rows of a tenant. The database ends such a transaction when it waits a second for its gateway.
 * - `leader`: one kind of background work of all gateways, which must not run twice at the same time. Ended like a tenant's.
 * - `job`: the runs of one job, and the session that they share.
 * - `key`: an idempotency key that may not exist yet.
 */
export interface LockNames {
  session?: { tenantId: string; sessionId: string } | undefined;
  tenant?: string | undefined;
  leader?: LeaderWork;
  job?: { tenantId: string; id: string } | undefined;
  key?: { tenantId: string; key: string } | undefined;
}

/** Kinds of background work of which one gateway at a time does a part. */
export type LeaderWork =
  | 'api_keys'
  | 'audit'
  | 'housekeeping'
  | 'key_use'
  | 'memory_use'
  | 'push'
  | 'search'
  | 'usage'
  | 'vectors'
  | 'webhooks';

/**
 * What one transaction locks before its first statement.
 * - `run`: nothing beforehand. The compare-and-set of the run's epoch and last event is its first statement and locks the row of the run.
 * - `none`: nothing. Each statement decides by itself: an insert, an upsert, or a compare-and-set.
 */
export type Lock = LockNames | 'run' | 'none';
