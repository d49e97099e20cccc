/**
 * Spreads the steps of runs over turns of the event loop. When many runs begin at once, or their models answer at once, the tokens of other runs
 * would otherwise wait until each of these runs has taken its step.
 */
import type { Clock } from '../../port/clock';

/** Milliseconds of steps in one turn of the event loop, after which further steps wait for the next turn. */
const SLICE_MS = 4;

export class StepScheduler {
  private readonly waiting: (() => void)[] = [];
  /** True while a step that was let through runs its synchronous part. */
  private isStepRunning = false;
  /** End of the slice in this turn of the event loop. Undefined: no step has begun. */
  private sliceEnd: number | undefined;

  constructor(private readonly clock: Clock) {}

  /** Returns undefined when the caller may go on at once; otherwise resolves when its step comes, in the order of the calls. */
  nextStep(): Promise<void> | undefined {
    if (!this.isStepRunning && this.waiting.length === 0 && this.hasTime()) {
      this.startStep();
      return undefined;
    }
    return new Promise(resolve => {
      this.waiting.push(resolve);
      if (!this.isStepRunning && this.waiting.length === 1) setImmediate(() => this.startWaiting());
    });
  }

  private startStep(): void {
    this.isStepRunning = true;
    // A microtask from inside a microtask runs after the synchronous part of the step.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.isStepRunning = false;
        this.startWaiting();
      }),
    );
  }

  private startWaiting(): void {
    if (this.waiting.length === 0) return;
    if (!this.hasTime()) {
      setImmediate(() => this.startWaiting());
      return;
    }
    this.startStep();
    this.waiting.shift()?.();
  }

  private hasTime(): boolean {
    const now = this.clock.monotonic();
    if (this.sliceEnd === undefined) {
      this.sliceEnd = now + SLICE_MS;
      setImmediate(() => {
        this.sliceEnd = undefined;
      });
    }
    return now < this.sliceEnd;
  }
}
