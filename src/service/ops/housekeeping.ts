/**
 * Once an hour deletes what is old, adds up usage, ends abandoned tool calls and looks for jobs of other processes. Some seconds after sessions were
 * deleted it removes what they left in the search index and in the files of the database.
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
/** Milliseconds after a deletion; further ones share the work. */
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
  private stopPurge = () => {};

  constructor(private readonly deps: HousekeepingDeps) {}

  /** Cleans up after `delayMs` and then once an hour, until `stop`. */
  start(delayMs = FIRST_MS): void {
    this.stopTimer = this.deps.clock.after(delayMs, () => {
      this.start(HOUR_MS);
      this.cleanUp().catch(thrown => this.deps.onError('cleaning up failed', thrown));
    });
  }

  stop(): void {
    this.stopTimer();
    this.stopPurge();
  }

  async cleanUp(): Promise<void> {
    const { store, clock } = this.deps;
    const before = clock.now() - IDEMPOTENCY_MS;
    while ((await store.transaction(tx => tx.deleteIdempotencyKeys(before))) > 0);
    await this.deps.rollUpUsage();
    this.deps.lookForJobs?.();
    await this.deps.deleteUnkeptResponses?.();
    await this.deps.endAbandonedCalls();
    await this.deps.deleteOld();
  }

  /** Call it after sessions were deleted. Returns at once. */
  purgeSoon(): void {
    this.stopPurge();
    this.stopPurge = this.deps.clock.after(PURGE_DELAY_MS, () => {
      this.purge().catch(thrown => this.deps.onError('what deleted sessions left cannot be removed', thrown));
    });
  }

  private async purge(): Promise<void> {
    const { store } = this.deps;
    const purgeIndex = (isFirst: boolean) => store.transaction(tx => tx.purgeSearchIndex(isFirst));
    for (let isMore = await purgeIndex(true); isMore; ) isMore = await purgeIndex(false);
    await store.emptyLog();
  }
}

/** Builds it over the services that know what they left behind. */
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
