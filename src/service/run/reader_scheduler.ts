/** Turns of the event loop for readers: large work of many readers is done one piece a turn, so that everything else runs in between. */
export class ReaderScheduler {
  private readonly waiting = new Set<() => void>();

  /** Resolves in a turn of its own, in the order of the calls. */
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
