/** Looks for due deliveries of the store and sends them, a few at a time. Any process that shares the store may send any of them. */
import type { Clock } from '../port/clock';

const SECOND = 1_000;
const FIRST_LOOK_MS = 1_000;
/** Receivers and deliveries of other processes are seen after this time. */
const LOOK_MS = 10_000;
const MAX_IN_FLIGHT = 16;
const TRY_MS = 15_000;
/** Longer than a try takes: afterwards its process has ended, and another one may take the delivery over. */
const RESERVED_MS = 60_000;

export interface DeliveryLoopDeps<Delivery> {
  clock: Clock;
  /** Reads the receivers again when they changed. Resolves with false when there are none. */
  refresh(): Promise<boolean>;
  /** Resolves with the time of the next delivery in ms since 1970, or undefined without one. */
  nextAt(): Promise<number | undefined>;
  /** Reserves at most `limit` deliveries that are due at `now`, until the time `until`. */
  claim(limit: number, times: { now: number; until: number }): Promise<Delivery[]>;
  /** Sends one delivery and stores the result. */
  send(delivery: Delivery): Promise<void>;
  onSendError(thrown: unknown): void;
  onReadError(thrown: unknown): void;
}

export class DeliveryLoop<Delivery> {
  private stopped = true;
  private isLooking = false;
  private isStale = false;
  private inFlight = 0;
  private stopTimer = () => {};
  private readonly stopping = new AbortController();

  constructor(private readonly deps: DeliveryLoopDeps<Delivery>) {}

  get isStopped(): boolean {
    return this.stopped;
  }

  /** Returns at once. */
  start(): void {
    this.stopped = false;
    this.stopTimer = this.deps.clock.after(FIRST_LOOK_MS, () => void this.look());
  }

  /** Breaks off tries in progress; a later process repeats them. */
  stop(): void {
    this.stopped = true;
    this.stopTimer();
    this.stopping.abort(new Error('The gateway stops.'));
  }

  /** Looks for due deliveries now. */
  wake(): void {
    this.isStale = true;
    if (!this.stopped && !this.isLooking) void this.look();
  }

  /**
   * Calls `attempt` with a signal that fires when the try takes too long or the gateway stops. Rejects as `attempt` does, and with the given error
   * after the time limit.
   */
  async tryOnce<Answer>(tooLate: Error, attempt: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const timeout = new AbortController();
    const cancelTimer = this.deps.clock.after(TRY_MS, () => timeout.abort(tooLate));
    try {
      return await attempt(AbortSignal.any([timeout.signal, this.stopping.signal]));
    } catch (thrown) {
      throw timeout.signal.aborted ? tooLate : thrown;
    } finally {
      cancelTimer();
    }
  }

  /** Sends due deliveries and sets the timer to the next look. Never rejects. */
  private async look(): Promise<void> {
    this.stopTimer();
    this.isLooking = true;
    let waitMs = LOOK_MS;
    try {
      do {
        this.isStale = false;
        waitMs = await this.sendDue();
      } while (this.isStale && !this.stopped);
    } catch (thrown) {
      if (!this.stopped) this.deps.onReadError(thrown);
    }
    this.isLooking = false;
    if (!this.stopped) this.stopTimer = this.deps.clock.after(waitMs, () => void this.look());
  }

  /** Resolves with the milliseconds until the next look. */
  private async sendDue(): Promise<number> {
    const { clock, refresh, nextAt, claim } = this.deps;
    if (!(await refresh())) return LOOK_MS;
    const now = clock.now();
    const dueAt = await nextAt();
    if (dueAt === undefined || this.inFlight >= MAX_IN_FLIGHT) return LOOK_MS;
    if (dueAt > now) return Math.min(LOOK_MS, dueAt - now);
    const claimed = await claim(MAX_IN_FLIGHT - this.inFlight, { now, until: now + RESERVED_MS });
    this.inFlight += claimed.length;
    for (const delivery of claimed) void this.send(delivery);
    this.isStale = this.inFlight < MAX_IN_FLIGHT && claimed.length > 0;
    return LOOK_MS;
  }

  /** Never rejects. */
  private async send(delivery: Delivery): Promise<void> {
    try {
      await this.deps.send(delivery);
    } catch (thrown) {
      this.deps.onSendError(thrown);
    } finally {
      this.inFlight -= 1;
      this.wake();
    }
  }
}

/** Returns the pause in ms that a server asks for in `retry-after` (seconds), at most `maxMs`; 0 when it asks for none. */
export function askedPauseMs(retryAfter: string, maxMs: number): number {
  return /^\d+$/.test(retryAfter) ? Math.min(Number(retryAfter) * SECOND, maxMs) : 0;
}
