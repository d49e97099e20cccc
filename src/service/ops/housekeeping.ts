/** Forgets what need not be kept: events and request keys after a day; and what else is to be done once an hour. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';

const FIRST_MS = 60_000;
const HOUR_MS = 3_600_000;
const KEPT_MS = 24 * HOUR_MS;
/** Of every session at least this many of the newest events stay, however old. */
const KEPT_EVENTS = 10_000;

export interface HousekeepingDeps {
  store: Store;
  clock: Clock;
  /** Called after the events and keys, each time. */
  endAbandonedCalls: () => Promise<void>;
  onError: LogError;
}

export class Housekeeping {
  private stopTimer = () => {};

  constructor(private readonly deps: HousekeepingDeps) {}

  /** Cleans up soon, and then once an hour until stopped. */
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
    const before = clock.now() - KEPT_MS;
    await untilNothingIsLeft(() => store.transaction(tx => tx.deleteIdempotencyKeys(before)));
    await untilNothingIsLeft(() => store.transaction(tx => tx.expireEvents(before, KEPT_EVENTS)));
    await this.deps.endAbandonedCalls();
  }
}

/** Each call takes a bounded bite, so that nothing else has to wait for long. */
async function untilNothingIsLeft(removeSome: () => Promise<number>): Promise<void> {
  while ((await removeSome()) > 0);
}
