/** One load for several readers. It stops when the last of them has left. */
export class SharedLoad<T> {
  private readonly stop = new AbortController();
  private readonly result: Promise<T>;
  private readers = 0;

  constructor(load: (signal: AbortSignal) => Promise<T>) {
    this.result = Promise.resolve().then(() => load(this.stop.signal));
  }

  /** Returns true when every reader has left: the load then has no result. */
  get isStopped(): boolean {
    return this.stop.signal.aborted;
  }

  /** Settles as the load does. `signal`: the reader has left. */
  async read(signal: AbortSignal): Promise<T> {
    const leave = () => {
      this.readers -= 1;
      if (this.readers === 0) this.stop.abort(signal.reason);
    };
    this.readers += 1;
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await this.result;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
