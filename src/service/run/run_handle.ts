/** Controls a run that executes in this process: stops it, abandons it, or stops one of its tool calls. */
import { WriterClosed } from '../run_log/run_owner';
import type { RunWriter } from '../run_log/run_writer';

export class RunHandle {
  private readonly stopped = new AbortController();
  private readonly abandonment = new AbortController();
  private readonly toolCalls = new Map<string, () => void>();
  private openWaits = 0;
  /** The time of the newest event that the run showed in this process, in milliseconds since 1970; undefined before the first event. */
  lastEventAt: number | undefined;
  /** Writes the log of the run; undefined until the run is opened. */
  writer: Pick<RunWriter, 'storeShown'> | undefined;

  /** `renewLease` resolves when this process certainly owns the run. After an abort it rejects with the reason of the signal. */
  constructor(private readonly renewLease: (signal: AbortSignal) => Promise<void>) {}

  /** Aborts when the work on the run must end; the reason of the signal decides how the run ends. */
  get signal(): AbortSignal {
    return this.stopped.signal;
  }

  /** Aborts when another process continues the run; this process must not write to it any more. */
  get abandoned(): AbortSignal {
    return this.abandonment.signal;
  }

  /** True while the run waits for a person. */
  get isWaiting(): boolean {
    return this.openWaits > 0;
  }

  stop(reason: Error): void {
    this.stopped.abort(reason);
  }

  /** Stops all work and all writing, so that another process can continue the run. */
  abandon(): void {
    const reason = new WriterClosed();
    this.abandonment.abort(reason);
    this.stopped.abort(reason);
  }

  assureLease(): Promise<void> {
    return this.renewLease(this.signal);
  }

  /** Registers how to stop a tool call; returns the function that removes it. */
  addToolCall(toolCallId: string, stop: () => void): () => void {
    this.toolCalls.set(toolCallId, stop);
    return () => this.toolCalls.delete(toolCallId);
  }

  /** Returns false when no such tool call runs. */
  stopToolCall(toolCallId: string): boolean {
    const stop = this.toolCalls.get(toolCallId);
    stop?.();
    return stop !== undefined;
  }

  /** Marks the run as waiting until `wait` settles. Waits may overlap. */
  async whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    this.openWaits += 1;
    try {
      return await wait();
    } finally {
      this.openWaits -= 1;
    }
  }
}
