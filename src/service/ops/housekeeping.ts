/**
 * Housekeeping, once an hour: deletes old data, adds up usage, ends abandoned tool calls, and looks for jobs of other processes. Some seconds after
 * sessions or memories were deleted, removes their remains from the search indexes and the files of the database.
 */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';
import type { JobScheduler } from '../job/job_scheduler';
import type { UsageRollUp } from '../limits/usage_roll_up';
import type { ResponseService } from '../response/response_service';
import type { SessionService } from '../session/session_service';
import type { DirectCallService } from '../tool/direct_call_service';
import type { RetentionDeps } from './retention';

const FIRST_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Time in which a repeated request finds the first one. */
const IDEMPOTENCY_MS = 24 * HOUR_MS;
/** Milliseconds from a deletion to the purge; further deletions share the purge. */
const PURGE_DELAY_MS = 2_000;

export interface HousekeepingDeps {
  store: Store;
  clock: Clock;
  endAbandonedCalls: () => Promise<void>;
  /** Adds up the usage that an earlier process left. */
  rollUpUsage: () => Promise<void>;
  /** Looks whether another process on the same store has made the first job. */
  lookForJobs?: () => void;
  /** Deletes responses that their callers did not want to be kept. */
  deleteUnkeptResponses?: () => Promise<void>;
  /** Deletes what is older than the operator wants to keep. */
  deleteOld: () => Promise<void>;
  onError: LogError;
}

export class Housekeeping {
  private stopTimer = () => {};
  /** Present while a purge is about to begin. */
  private stopPurge: (() => void) | undefined;
  private purging = Promise.resolve();
  private isStopped = false;

  constructor(private readonly deps: HousekeepingDeps) {}

  /** Cleans up after `delayMs` and then once an hour, until `stop`. */
  start(delayMs = FIRST_MS): void {
    this.stopTimer = this.deps.clock.after(delayMs, () => {
      this.start(HOUR_MS);
      void this.cleanUp();
    });
  }

  stop(): void {
    this.isStopped = true;
    this.stopTimer();
    this.stopPurge?.();
  }

  /** Does the work of an hour. Never rejects: a part that fails does not stop the others. */
  async cleanUp(): Promise<void> {
    const { rollUpUsage, lookForJobs, deleteUnkeptResponses, endAbandonedCalls, deleteOld, onError } = this.deps;
    lookForJobs?.();
    const parts = [
      () => this.deleteIdempotencyKeys(),
      rollUpUsage,
      deleteUnkeptResponses,
      endAbandonedCalls,
      deleteOld,
      () => this.resumePurge(),
    ];
    for (const part of parts) await part?.().catch(thrown => onError('a part of the clean-up failed', thrown));
  }

  /** Schedules a purge. Call it when sessions or memories are deleted. Returns at once. Further deletions share the purge and do not delay it. */
  purgeSoon(): void {
    this.stopPurge ??= this.deps.clock.after(PURGE_DELAY_MS, () => {
      this.stopPurge = undefined;
      this.purging = this.purging
        .then(() => this.purge())
        .catch(thrown => this.deps.onError('what deleted sessions and memories left cannot be removed', thrown));
    });
  }

  private async deleteIdempotencyKeys(): Promise<void> {
    const { store, clock } = this.deps;
    const before = clock.now() - IDEMPOTENCY_MS;
    while ((await store.transaction(tx => tx.deleteIdempotencyKeys(before))) > 0);
  }

  /** Goes on with a purge that a crash or a failure interrupted. */
  private async resumePurge(): Promise<void> {
    if ((await this.deps.store.read.pendingPurge()) !== undefined) this.purgeSoon();
  }

  private async purge(): Promise<void> {
    if (this.isStopped) return;
    const { store } = this.deps;
    const mark = await store.read.pendingPurge();
    const purgeIndex = (isFirst: boolean) => store.transaction(tx => tx.purgeSearchIndex(isFirst));
    for (let isMore = await purgeIndex(true); isMore && !this.isStopped; ) isMore = await purgeIndex(false);
    if (this.isStopped || !(await store.emptyLog()) || mark === undefined) return;
    await store.transaction(tx => tx.endPurge(mark));
  }
}

/** Builds the housekeeping from services, each of which deletes its own old data. */
export function createHousekeeping({
  directCallService,
  usageRollUp,
  jobScheduler,
  responseService,
  sessionService,
  ...ports
}: Pick<HousekeepingDeps, 'store' | 'clock' | 'onError'> &
  Omit<RetentionDeps, 'purgeSession'> & {
    directCallService: DirectCallService;
    usageRollUp: UsageRollUp;
    jobScheduler: JobScheduler;
    responseService: ResponseService;
    sessionService: SessionService;
  }): Housekeeping {
  return new Housekeeping({
    ...ports,
    endAbandonedCalls: () => directCallService.endAbandonedCalls(),
    rollUpUsage: () => usageRollUp.rollUp(),
    lookForJobs: () => jobScheduler.wake(),
    deleteOld: () => {
      const { deleteOld }: typeof import('./retention') = require('./retention');
      return deleteOld({ ...ports, purgeSession: (tenantId, id) => sessionService.purgeSession(tenantId, id) });
    },
    deleteUnkeptResponses: () => responseService.deleteUnkept(),
  });
}
