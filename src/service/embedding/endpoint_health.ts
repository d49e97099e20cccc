/** Remembers whether a server answers: after a failure the server gets no calls for a while, longer after each further failure. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;

export class EndpointHealth {
  private failures = 0;
  /** Monotonic time from which on the server is tried again. */
  private tryAgainAt = 0;
  private reason: string | undefined;

  /** `what`: the beginning of the sentence for the log and the warning, as in `embeddings fail, so ...`. */
  constructor(
    private readonly what: string,
    private readonly deps: { clock: Clock; onError: LogError },
  ) {}

  /** Milliseconds until the server is tried again; 0 when it may be called. */
  get pauseMs(): number {
    return Math.max(0, this.tryAgainAt - this.deps.clock.monotonic());
  }

  /** Undefined while the server answers. */
  get warning(): string | undefined {
    return this.reason === undefined ? undefined : `${this.what}: ${this.reason}`;
  }

  recordSuccess(): void {
    this.failures = 0;
    this.tryAgainAt = 0;
    this.reason = undefined;
  }

  /** Logs the first failure after a success only. */
  recordFailure(thrown: unknown): void {
    const { clock, onError } = this.deps;
    // Calls that began before the pause fail together, so they count once.
    if (this.pauseMs > 0) return;
    if (this.failures === 0) onError(this.what, thrown);
    this.tryAgainAt = clock.monotonic() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures);
    this.failures += 1;
    this.reason = thrown instanceof Error ? thrown.message : String(thrown);
  }
}
