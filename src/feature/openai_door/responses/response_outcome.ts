/** Translates the state and the end of a run to the fields of a response. */
import type { Usage } from '../../../port/llm';
import type { IncompleteReason, TerminalStatus } from '../../../port/run_event';
import type { RunOutcome } from '../../../port/store/runs';
import { toSeconds } from '../shared/to_seconds';
import type { ResponseObject, ResponseUsage } from './response_object';

/** Fields of a response that has ended. */
export type ResponseEnd = Pick<ResponseObject, 'status' | 'completed_at' | 'error' | 'incomplete_details' | 'usage'>;

const EVENT_OF = {
  completed: 'response.completed',
  incomplete: 'response.incomplete',
  failed: 'response.failed',
  // OpenAI's stream has no event for a cancelled response; the status of the response tells.
  cancelled: 'response.incomplete',
} as const satisfies Record<TerminalStatus, string>;

/** OpenAI's words where they mean the same; the other reasons keep the names of this gateway. */
const toIncompleteReason = (reason: IncompleteReason): string => (reason === 'output_limit' ? 'max_output_tokens' : reason);

/** `endedAt`: milliseconds since 1970. */
export function endOfResponse(
  {
    status,
    reason,
    error,
    usage,
  }: Pick<RunOutcome, 'reason' | 'usage'> & {
    status: TerminalStatus;
    error?: { code: string; message: string };
  },
  endedAt: number,
): ResponseEnd & { event: (typeof EVENT_OF)[TerminalStatus] } {
  return {
    event: EVENT_OF[status],
    status,
    completed_at: status === 'completed' ? toSeconds(endedAt) : null,
    error: status === 'failed' && error ? { code: error.code, message: error.message } : null,
    incomplete_details: status === 'incomplete' ? { reason: reason === undefined ? 'unknown' : toIncompleteReason(reason) } : null,
    usage: toResponseUsage(usage),
  };
}

export function toResponseUsage({ inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0 }: Usage): ResponseUsage {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}
