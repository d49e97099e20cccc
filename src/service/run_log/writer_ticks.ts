/** The times at which the writers of all runs act together: one tick for storing events, one for publishing text. */
import type { Clock } from '../../port/clock';

/** Milliseconds after which the background write of an event begins at the latest. */
const WRITE_MS = 100;
/** Longest pause between two rounds of text, in milliseconds. */
const MAX_PAUSE_MS = 25;
/** A pause lasts this many times as long as the publishing before the pause. */
const PAUSE_FACTOR = 60;

/** Wakes all writers at the same time, so that their background writes share one commit and one sync to disk. */
export class WriteTick {
  private waiting: (() => void)[] = [];

  constructor(private readonly clock: Clock) {}

  /** Calls back at the next tick. The first caller starts the timer; later callers share it. */
  wait(callback: () => void): void {
    this.waiting.push(callback);
    if (this.waiting.length === 1) this.clock.after(WRITE_MS, () => this.wakeAll());
  }

  private wakeAll(): void {
    const callbacks = this.waiting;
    this.waiting = [];
    for (const callback of callbacks) callback();
  }
}

/**
 * Says when the writers publish the text that came from their models. While publishing takes little time, they publish in the turn of the event loop
 * in which the text came. When publishing takes much time, text waits up to 25 ms, and the pieces of a run become one event.
 */
export class DeltaTick {
  private waiting: (() => void)[] = [];
  private pauseEnd = 0;

  constructor(private readonly clock: Clock) {}

  /** Calls back in this turn of the event loop, or after the pause. Callers that wait at the same time are called together. */
  wait(callback: () => void): void {
    this.waiting.push(callback);
    if (this.waiting.length > 1) return;
    const pause = this.pauseEnd - this.clock.monotonic();
    if (pause > 0) this.clock.after(pause, () => this.callAll());
    else setImmediate(() => this.callAll());
  }

  private callAll(): void {
    const callbacks = this.waiting;
    this.waiting = [];
    const begun = this.clock.monotonic();
    for (const callback of callbacks) callback();
    const end = this.clock.monotonic();
    this.pauseEnd = end + Math.min((end - begun) * PAUSE_FACTOR, MAX_PAUSE_MS);
  }
}
