/** Tells processes apart that share a store. */
export interface InstanceId {
  /** Name of this process among all that share the store: `^[A-Za-z0-9_.-]{1,120}$`. Never used again by another. */
  readonly self: string;
  /** Returns true when the process of that name has certainly ended. False when it lives, or when this process cannot know (another machine, another PID namespace). */
  isGone(owner: string): boolean;
}
