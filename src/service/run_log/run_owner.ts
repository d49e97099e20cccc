/** The part of the process that owns a run, as the writer of the run's log sees it. */

/** The part of a RunHandle that its writer uses. */
export interface RunOwner {
  /** When this signal aborts, the writer closes: nothing more is stored or published. */
  readonly abandoned: AbortSignal;
  /** The time of the newest event, in milliseconds since 1970; the writer sets it. */
  lastEventAt?: number;
  /** Called with the error of a failed write. */
  stop(reason: Error): void;
}

/** Thrown by writes to a run that this process has abandoned. */
export class WriterClosed extends Error {
  constructor() {
    super('The run is no longer written here.');
    this.name = 'WriterClosed';
  }
}
