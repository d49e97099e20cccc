/**
 * Identifies processes that share a store.
 * @example
 * import type { InstanceId } from './instance_id';
 *
 * // On several machines no process can see the others, so leases alone decide.
 * export const onOneOfManyMachines = (name: string): InstanceId => ({ self: name, isGone: () => false });
 */
export interface InstanceId {
  /** Name of this process, unique among all that share the store and never reused: `^[A-Za-z0-9_.-]{1,120}$`. */
  readonly self: string;
  /** Returns true when the process of that name has certainly ended; false while it lives, and for another machine or PID namespace. */
  isGone(owner: string): boolean;
}
