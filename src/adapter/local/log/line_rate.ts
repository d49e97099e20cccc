const WINDOW_MS = 10_000;
const MAX_LINES = 100;

/** Limits lines that a caller can cause at will. */
export class LineRate {
  private windowStart = -Infinity;
  private count = 0;
  private leftOut = 0;

  constructor(private readonly now: () => number) {}

  /** Returns undefined for a line to leave out, else the number of lines that were left out since the last one. */
  take(): number | undefined {
    const now = this.now();
    if (now - this.windowStart >= WINDOW_MS) {
      this.windowStart = now;
      this.count = 0;
    }
    this.count += 1;
    if (this.count > MAX_LINES) {
      this.leftOut += 1;
      return undefined;
    }
    const { leftOut } = this;
    this.leftOut = 0;
    return leftOut;
  }
}
