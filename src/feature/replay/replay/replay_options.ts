/** The wishes of a caller for a replay. */
import type { Actor } from '../../../port/principal';

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
  /** The tenant of the run. */
  tenantId: string;
  keyName: string;
  /** Pays for the calls of models, when the run belongs to another tenant. Absent: the key and the tenant above. */
  payer?: Actor;
  signal: AbortSignal;
}
