/**
 * Limits the runs that this process executes at once (slots) and the queued runs. Both limits are counters, so that a check needs no query. Each
 * heartbeat corrects the number of queued runs from the store, which also counts queued runs of other processes.
 */
import { AppError } from '../../errors';
import { type Actor, actorId } from '../../port/principal';

export interface RunLimitSettings {
  concurrentRuns: number;
  queuedRuns: number;
}

const RETRY_AFTER_MS = 5_000;

export class RunCapacity {
  private executing = 0;
  private queued = 0;
  /** Number of queued runs of each key. */
  private queuedOf = new Map<string, number>();

  constructor(private readonly limits: RunLimitSettings) {}

  get isInUse(): boolean {
    return this.executing > 0;
  }

  /** Takes a slot. Returns false when none is free; the run then stays queued. */
  takeSlot(): boolean {
    if (this.executing >= this.limits.concurrentRuns) return false;
    this.executing += 1;
    return true;
  }

  /** Takes a slot beyond the limit, for a run that another process started and this process recovers. */
  forceSlot(): void {
    this.executing += 1;
  }

  /** Frees a slot that `takeSlot` or `forceSlot` took. */
  freeSlot(): void {
    this.executing -= 1;
  }

  /** Throws `rate_limited` when the queue is full; then a key with less than an equal part of the queue may still queue runs. */
  assertRoomInQueue(actor: Actor): void {
    if (this.queued < this.limits.queuedRuns || this.hasLessThanItsPart(actorId(actor))) return;
    throw new AppError('rate_limited', {
      message: `At most ${this.limits.queuedRuns} runs may be queued in the gateway.`,
      messageZh: `网关中最多可以有 ${this.limits.queuedRuns} 个运行排队。`,
      retryAfterMs: RETRY_AFTER_MS,
    });
  }

  /**
   * Returns true when the key has less than an equal part of the queue: a key that fills the queue must not shut out other keys. At most twice the
   * limit is queued in all.
   */
  private hasLessThanItsPart(id: string): boolean {
    const own = this.queuedOf.get(id) ?? 0;
    const keys = this.queuedOf.size + (own === 0 ? 1 : 0);
    return keys > 1 && own < Math.floor(this.limits.queuedRuns / keys) && this.queued < this.mostQueued;
  }

  /** Counts runs as queued without a check of the limit. */
  joinQueue(actor: Actor, count = 1): void {
    if (count === 0) return;
    const id = actorId(actor);
    this.queued += count;
    this.queuedOf.set(id, (this.queuedOf.get(id) ?? 0) + count);
  }

  /** Counts a queued run of the key as gone: it has started, or it was cancelled. */
  leaveQueue(actor: Actor): void {
    const id = actorId(actor);
    this.queued = Math.max(0, this.queued - 1);
    const own = (this.queuedOf.get(id) ?? 0) - 1;
    if (own > 0) this.queuedOf.set(id, own);
    else this.queuedOf.delete(id);
  }

  /** The number of queued runs from which on no key may queue another. Runs beyond this number need not be counted. */
  get mostQueued(): number {
    return 2 * this.limits.queuedRuns;
  }

  /** Sets the number of queued runs of each key. */
  setQueued(keys: readonly (Actor & { count: number })[]): void {
    this.queued = 0;
    this.queuedOf = new Map();
    for (const key of keys) this.joinQueue(key, key.count);
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
  private queuedFor: Actor | undefined;

  constructor(
    private readonly capacity: RunCapacity,
    /** True when the reservation holds a slot, so that the run can start at once if its session is idle. */
    readonly hasSlot: boolean,
  ) {}

  /** Throws `rate_limited` when the run can neither start nor be queued. */
  assertCanRunOrWait(actor: Actor): void {
    if (!this.hasSlot) this.capacity.assertRoomInQueue(actor);
  }

  /** Counts the run as queued. Throws `rate_limited` when the queue is full. */
  joinQueue(actor: Actor): void {
    this.capacity.assertRoomInQueue(actor);
    this.capacity.joinQueue(actor);
    this.queuedFor = actor;
  }

  /** Frees the slot and the place that the run does not use. `accepted` is absent when the request was refused. */
  release(accepted: { claimed?: unknown } | undefined): void {
    if (this.hasSlot && !accepted?.claimed) this.capacity.freeSlot();
    if (this.queuedFor && !accepted) this.capacity.leaveQueue(this.queuedFor);
  }
}
