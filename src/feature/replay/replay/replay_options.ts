/** The wishes of a caller for a replay. */

/** Says what differs from the recorded run. */
export interface ReplayOptions {
  /** Id of the model to call. Absent: the recorded answers are used, and nothing is called. */
  model?: string;
  /** Name of the agent. Absent: the agent of the run. */
  agent?: string;
  /** Takes the place of the system prompt. */
  prompt?: string;
  /** read: a call that only reads and is not recorded runs. Default: none. */
  liveTools?: 'none' | 'read';
}

/** The caller for whom a replay calls models and tools. */
export interface ReplayCaller {
  tenantId: string;
  keyName: string;
  signal: AbortSignal;
}
