/** Once an hour deletes old events, idempotency keys and responses that are not kept, ends abandoned tool calls and looks for jobs of other processes. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';
import type { JobScheduler } from '../job/job_scheduler';
import type { UsageRollUp } from '../limits/usage_roll_up';
import type { ResponseService } from '../response/response_service';
import type { DirectCallService } from '../tool/direct_call_service';

const FIRST_MS = 60_000;
const HOUR_MS = 3_600_000;
const RETENTION_MS = 24 * HOUR_MS;
/** Deliveries of webhooks are kept for this time. */
const DELIVERY_RETENTION_MS = 30 * 24 * HOUR_MS;
/** Each session keeps at least this many of its newest events, however old they are. */
const KEPT_EVENTS = 10_000;

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
  /** Deletes deliveries of webhooks that were made before `time` and have ended, a part of them; resolves with their number. */
  deleteOldDeliveries?: (time: number) => Promise<number>;
  onError: LogError;
}

export class Housekeeping {
  private stopTimer = () => {};

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
  }

  async cleanUp(): Promise<void> {
    const { store, clock } = this.deps;
    const before = clock.now() - RETENTION_MS;
    await repeatWhile(async () => (await store.transaction(tx => tx.deleteIdempotencyKeys(before))) > 0);
    await repeatWhile(async () => (await store.transaction(tx => tx.expireEvents(before, KEPT_EVENTS))).isMore);
    await this.deps.rollUpUsage();
    await repeatWhile(async () => ((await this.deps.deleteOldDeliveries?.(clock.now() - DELIVERY_RETENTION_MS)) ?? 0) > 0);
    this.deps.lookForJobs?.();
    await this.deps.deleteUnkeptResponses?.();
    await this.deps.endAbandonedCalls();
  }
}

/** Calls `cleanPart` until it resolves false. Each call is one short transaction, so that other writes get their turn. */
async function repeatWhile(cleanPart: () => Promise<boolean>): Promise<void> {
  while (await cleanPart());
}

/** Builds it over the services that know what they left behind. */
export function createHousekeeping({
  directCallService,
  usageRollUp,
  jobScheduler,
  responseService,
  ...ports
}: Pick<HousekeepingDeps, 'store' | 'clock' | 'onError'> & {
  directCallService: DirectCallService;
  usageRollUp: UsageRollUp;
  jobScheduler: JobScheduler;
  responseService: ResponseService;
}): Housekeeping {
  return new Housekeeping({
    ...ports,
    endAbandonedCalls: () => directCallService.endAbandonedCalls(),
    rollUpUsage: () => usageRollUp.rollUp(),
    lookForJobs: () => jobScheduler.wake(),
    deleteOldDeliveries: time => ports.store.transaction(tx => tx.deleteOldDeliveries(time)),
    deleteUnkeptResponses: () => responseService.deleteUnkept(),
  });
}
