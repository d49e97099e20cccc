/**
 * Limits the runs that this process executes at once and the runs that wait in line. Counters, so that a check costs nothing; the number of
 * waiting runs is set anew from the store at every heartbeat, which also counts those of other processes.
 */
import { AppError } from '../../errors';

export interface RunLimitSettings {
  concurrentRuns: number;
  queuedRuns: number;
}

const RETRY_AFTER_MS = 5_000;

export class RunCapacity {
  private executing = 0;
  private queued = 0;

  constructor(private readonly limits: RunLimitSettings) {}

  /** Counts one more executing run. False when that would be too many: the run has to wait in line. */
  takeSlot(): boolean {
    if (this.executing >= this.limits.concurrentRuns) return false;
    this.executing += 1;
    return true;
  }

  /** Takes a place for a run that another process has begun; it goes on here, whatever the limit. */
  forceSlot(): void {
    this.executing += 1;
  }

  freeSlot(): void {
    this.executing -= 1;
  }

  /** Throws `rate_limited` when no more runs may wait. */
  assertRoomInQueue(): void {
    if (this.queued < this.limits.queuedRuns) return;
    throw new AppError('rate_limited', {
      message: `At most ${this.limits.queuedRuns} runs may wait in line for the gateway.`,
      retryAfterMs: RETRY_AFTER_MS,
    });
  }

  joinQueue(count = 1): void {
    this.queued += count;
  }

  leaveQueue(): void {
    this.queued = Math.max(0, this.queued - 1);
  }

  setQueued(count: number): void {
    this.queued = count;
  }

  /** A place for a run that is about to be accepted: an executing one as long as there are, else one in line. */
  reserve(): RunReservation {
    return new RunReservation(this, this.takeSlot());
  }
}

/** The place of one run from the request to its acceptance. */
export class RunReservation {
  private isQueued = false;

  constructor(
    private readonly capacity: RunCapacity,
    /** True when the run may start at once, provided that its session has no other run under way. */
    readonly mayStart: boolean,
  ) {}

  /** Throws `rate_limited` when the run could neither start nor wait. */
  assertCanRunOrWait(): void {
    if (!this.mayStart) this.capacity.assertRoomInQueue();
  }

  /** The run will wait. Throws `rate_limited` when too many do. */
  joinQueue(): void {
    this.capacity.assertRoomInQueue();
    this.capacity.joinQueue();
    this.isQueued = true;
  }

  /** Releases the unused place; `accepted` is absent when nothing was stored. */
  release(accepted: { claimed?: unknown } | undefined): void {
    if (this.mayStart && !accepted?.claimed) this.capacity.freeSlot();
    if (this.isQueued && !accepted) this.capacity.leaveQueue();
  }
}
