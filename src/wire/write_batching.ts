/**
 * Decides when the events that a connection has collected are written. A write costs more than encoding the event, and it wakes the client.
 * Progress waits a moment for the events behind it; text, questions and the end of a run are written at once, with everything before them.
 */
import type { RunEventType } from '../port/run_event';

/** The longest wait of progress in milliseconds. People do not notice it; with 64 runs at once, a tool that reads ends within it. */
export const PROGRESS_WAIT_MS = 25;

const PROGRESS: ReadonlySet<string> = new Set<RunEventType>(['run_start', 'message_end', 'usage', 'tool_call_start', 'tool_call_end']);

export class WriteBatching {
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;

  /** `flush` writes the collected events and calls `noteWritten`; it may find no event to write. */
  constructor(private readonly flush: () => void) {}

  /** Call it for each collected event, with its type. */
  noteEvent(type: string): void {
    if (this.isDue) return;
    if (PROGRESS.has(type)) {
      this.timer ??= setTimeout(this.flush, PROGRESS_WAIT_MS);
      return;
    }
    this.isDue = true;
    process.nextTick(this.flush);
  }

  /** Call it when every collected event was written. */
  noteWritten(): void {
    this.isDue = false;
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
