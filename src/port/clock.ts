/** Time, randomness and ids come in through here, so that everything above can be tested with its own. */
export interface Clock {
  /** Wall clock, milliseconds since 1970, UTC. For stored times and deadlines. */
  now(): number;
  /** Monotonic milliseconds. For durations and waits. */
  monotonic(): number;
  /** Calls back once after `milliseconds` (Infinity: never). Returns how to call it off. */
  after(milliseconds: number, callback: () => void): () => void;
}

export interface IdSource {
  /** A sortable, unguessable id `<prefix>_<text>` that matches `^[A-Za-z0-9_-]{1,64}$`. */
  next(prefix: 'ses' | 'run' | 'msg' | 'exe' | 'call'): string;
  uuid(): string;
}
