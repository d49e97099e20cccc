/** Decides before each model call whether the history must be compacted. */
import type { AgentRunParams } from '../agent_run';
import { compactHistory } from './compact_history';
import { hasTooManyMessages, wholeRequest } from './visible_history';

/**
 * Compacts the history when the next request needs it. Returns undefined at once when it does not. Rejects with the signal's reason after an
 * abort and as RunJournal.record does; a summary that fails does not reject.
 */
export function compactWhenNeeded(params: AgentRunParams, offerTools: boolean): Promise<void> | undefined {
  const { compaction, limits } = params;
  if (!compaction || compaction.hasFailed) return undefined;
  const request = wholeRequest(params, offerTools);
  if (!hasTooManyMessages(params) && !compaction.meter.mayExceed(request, compaction.share * limits.contextTokens)) return undefined;
  return compactHistory(params, compaction, request);
}
