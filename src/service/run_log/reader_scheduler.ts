/** Spreads large work of readers over turns of the event loop, one piece a turn, so that many readers block nothing else. */
export class ReaderScheduler {
  private readonly waiting = new Set<() => void>();

  /** Resolves in its own turn of the event loop, in the order of the calls. */
  nextTurn(): Promise<void> {
    return new Promise(resolve => {
      this.waiting.add(resolve);
      if (this.waiting.size === 1) this.schedule();
    });
  }

  private schedule(): void {
    setImmediate(() => {
      const [first] = this.waiting;
      if (!first) return;
      this.waiting.delete(first);
      if (this.waiting.size > 0) this.schedule();
      first();
    });
  }
}
