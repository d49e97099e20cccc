/** Time and ids. Tests pass their own. */

/**
 * @example
 * import type { Clock } from './clock';
 *
 * // A clock for tests: time stands still and every wait ends at once.
 * export const instantClock: Clock = {
 *   now: () => 0,
 *   monotonic: () => 0,
 *   after(_milliseconds, callback) {
 *     const timer = setImmediate(callback);
 *     return () => clearImmediate(timer);
 *   },
 * };
 */
export interface Clock {
  /** Returns the wall clock in milliseconds since 1970, UTC. For stored times and deadlines. */
  now(): number;
  /** Returns milliseconds that never go back. For durations and waits. */
  monotonic(): number;
  /** Calls back once after `milliseconds` (Infinity: never). Returns a function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

export interface IdSource {
  /** Returns a sortable, unguessable id `<prefix>_<text>` that matches `^[A-Za-z0-9_-]{1,64}$`. */
  next(
    prefix:
      | 'ses'
      | 'run'
      | 'msg'
      | 'exe'
      | 'call'
      | 'bak'
      | 'cas'
      | 'job'
      | 'mem'
      | 'img'
      | 'imp'
      | 'shr'
      | 'key'
      | 'whk'
      | 'hook'
      | 'hkc'
      | 'dlv'
      | 'psh'
      | 'rpl'
      | 'psd'
      | 'aud'
      | 'fbk'
      | 'per'
      | 'inv'
      | 'fac'
      | 'sig'
      | 'prm'
      | 'file'
      | 'grp',
  ): string;
  /** Returns a random UUID, version 4. */
  uuid(): string;
}
