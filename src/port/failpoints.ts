/** Places in the life of a run where a test can crash, delay or fail the process. In normal service nothing is set and `hit` costs nothing. */

export const FAILPOINTS = [
  'message_stored',
  'before_ack',
  'run_claimed',
  'model_called',
  'attempt_stored',
  'tool_intent',
  'tool_effect',
  'tool_result_stored',
  'event_append',
  'clarify_opened',
  'clarify_answered',
  'run_end',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

export interface Failpoints {
  /** Returns at once (undefined) when nothing is set for the point. May delay, reject, or never return because the process is gone. */
  reach(point: Failpoint): Promise<void> | undefined;
}
