/** Runs works of this process that share a lock one after the other, so that only one of them waits at the database. */

export class LockQueue {
  /** The end of the last work of each name. */
  private readonly ends = new Map<string, Promise<void>>();

  /** Calls `work` once every earlier work with one of these names has ended. Works wait in the order of their calls, so none waits in a circle. */
  async run<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    if (names.length === 0) return work();
    const earlier = names.map(name => this.ends.get(name));
    const { promise: end, resolve } = Promise.withResolvers<void>();
    for (const name of names) this.ends.set(name, end);
    await Promise.all(earlier);
    try {
      return await work();
    } finally {
      resolve();
      for (const name of names) if (this.ends.get(name) === end) this.ends.delete(name);
    }
  }
}
