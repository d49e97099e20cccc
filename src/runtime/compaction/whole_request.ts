/** The next request of a run as a whole, to be measured. */
import type { AgentRunParams } from '../agent_run';
import type { MeasuredRequest } from './token_meter';
import { messagesAfterSummary } from './visible_history';

/** Returns the request as it would be sent if nothing were left out, without a note for the model. */
export function wholeRequest(params: AgentRunParams, offerTools: boolean): MeasuredRequest {
  const { systemMessage, summary, tools } = params;
  const after = messagesAfterSummary(params);
  return {
    head: summary ? [systemMessage, summary.message] : [systemMessage],
    messages: after,
    tools: offerTools ? tools.wireTools : [],
  };
}

/** Returns true when messages would be left out because of their number. */
export const hasTooManyMessages = (params: AgentRunParams): boolean =>
  messagesAfterSummary(params).length > params.limits.maxContextMessages;
