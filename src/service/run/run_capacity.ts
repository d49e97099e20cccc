/**
 * Limits the runs that this process executes at once (slots) and the queued runs. Both are counters, so that a check needs no query. Each
 * heartbeat corrects the number of queued runs from the store, which also counts those of other processes.
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

  /** Takes a slot. Returns false when none is free; the run then stays queued. */
  takeSlot(): boolean {
    if (this.executing >= this.limits.concurrentRuns) return false;
    this.executing += 1;
    return true;
  }

  /** Takes a slot beyond the limit, for a run that another process has started and this one recovers. */
  forceSlot(): void {
    this.executing += 1;
  }

  freeSlot(): void {
    this.executing -= 1;
  }

  /** Throws `rate_limited` when the queue is full. */
  assertRoomInQueue(): void {
    if (this.queued < this.limits.queuedRuns) return;
    throw new AppError('rate_limited', {
      message: `At most ${this.limits.queuedRuns} runs may be queued in the gateway.`,
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

  /** Reserves a slot beyond the limit for a child run: its parent holds a slot and waits for it, so the limit would let both wait for ever. */
  reserveForChild(): RunReservation {
    this.forceSlot();
    return new RunReservation(this, true);
  }

  /** Reserves a slot for a request, if one is free. Call `release` on the reservation when the request is admitted or refused. */
  reserve(): RunReservation {
    return new RunReservation(this, this.takeSlot());
  }
}

/** The slot, or the place in the queue, that a request holds until it is admitted or refused. */
export class RunReservation {
  private isQueued = false;

  constructor(
    private readonly capacity: RunCapacity,
    /** True when the reservation holds a slot, so that the run can start at once if its session is idle. */
    readonly hasSlot: boolean,
  ) {}

  /** Throws `rate_limited` when the run can neither start nor be queued. */
  assertCanRunOrWait(): void {
    if (!this.hasSlot) this.capacity.assertRoomInQueue();
  }

  /** Counts the run as queued. Throws `rate_limited` when the queue is full. */
  joinQueue(): void {
    this.capacity.assertRoomInQueue();
    this.capacity.joinQueue();
    this.isQueued = true;
  }

  /** Frees what the run does not use. `accepted` is absent when the request was refused. */
  release(accepted: { claimed?: unknown } | undefined): void {
    if (this.hasSlot && !accepted?.claimed) this.capacity.freeSlot();
    if (this.isQueued && !accepted) this.capacity.leaveQueue();
  }
}
