/** Points in the life of a run where a test can crash, delay or fail the process. Without a setting `reach` returns at once. */

export const FAILPOINTS = [
  'active_check',
  'run_begun',
  'message_stored',
  'before_ack',
  'run_claimed',
  'model_called',
  'attempt_stored',
  'tool_intent',
  'tool_effect',
  'tool_result_stored',
  'event_published',
  'event_append',
  'clarify_opened',
  'clarify_answered',
  'audit_row',
  'run_end',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/**
 * @example
 * import type { Failpoints } from './failpoints';
 *
 * // Fails the first store of an event, and nothing else.
 * let isArmed = true;
 * export const failOnce: Failpoints = {
 *   reach(point) {
 *     if (point !== 'event_append' || !isArmed) return undefined;
 *     isArmed = false;
 *     return Promise.reject(new Error('failed by a failpoint'));
 *   },
 * };
 */
export interface Failpoints {
  /**
   * Returns undefined when no setting names the point. Otherwise the promise may settle late, reject, or never settle because the process was killed.
   */
  reach(point: Failpoint): Promise<void> | undefined;
}
