/** Lets work on the same key run one after another, in the order it came; work on different keys does not wait. */
export class KeyedLock {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** Settles as `work` does; a failure does not hold up the next. */
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
