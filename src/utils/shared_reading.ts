/** Repeats a reading, one at a time, so that an older result never replaces a newer one. */
export class SharedReading {
  private last: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(private readonly readNow: () => Promise<void>) {}

  /** Reads after the present reading. Those who ask during one share the next, which sees what they have just written. Rejects as the reading does. */
  read(): Promise<void> {
    if (this.next) return this.next;
    const reading = this.last.then(() => {
      this.next = undefined;
      return this.readNow();
    });
    this.next = reading;
    this.last = reading.catch(() => {});
    return reading;
  }
}
