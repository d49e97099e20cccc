/** Tells processes apart that share a store. */
export interface ProcessIdentity {
  /** Name of this process among all that share the store: `^[A-Za-z0-9_.-]{1,120}$`. Never used again by another. */
  readonly self: string;
  /** Whether the process of that name is certainly gone. False when it lives, and when it cannot be known here (another machine, another PID namespace). */
  isGone(owner: string): boolean;
}
