/** Runs work on the same key one at a time, in the order of the calls. Work on different keys runs in parallel. */
export class KeyedLock {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** Settles as `work` does. A failure does not stop later work on the key. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.tails.get(key) ?? Promise.resolve();
    const result = previous.then(work);
    const tail = result
      .catch(() => {})
      .finally(() => {
        if (this.tails.get(key) === tail) this.tails.delete(key);
      });
    this.tails.set(key, tail);
    return result;
  }
}
