/** The events of AG-UI 1.0 that the gateway sends (https://docs.ag-ui.com/concepts/events). */
import type { RunEventData } from '../../port/run_event';

/** The version of AG-UI whose events these are. */
export const PROTOCOL_VERSION = '1.0';

export interface Interrupt {
  /** The requestId of the question. */
  id: string;
  reason: 'clarification';
  message: string;
  responseSchema: Record<string, unknown>;
  expiresAt: string;
}

export type RunOutcome =
  | { type: 'success'; pendingToolCallIds?: string[] }
  | { type: 'interrupt'; interrupts: Interrupt[] }
  | { type: 'cancelled' };

/** Tokens of the run. `reasoningTokens` are part of `outputTokens`, `cachedInputTokens` part of `inputTokens`. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  reasoningTokens?: number;
  cachedInputTokens?: number;
}

/** The end of a run, in the words of our own doors. */
export type RunResult = Pick<RunEventData<'run_end'>, 'status' | 'reason' | 'text'>;

interface InMessage {
  messageId: string;
}

interface OfCall {
  toolCallId: string;
}

interface OfSubagent {
  subagentRunId: string;
}

interface PatchOperation {
  op: 'add';
  path: string;
  value: unknown;
}

export type AguiEvent =
  | {
      type: 'RUN_STARTED';
      threadId: string;
      runId: string;
      protocolVersion?: string;
      metadata: { neta: { sessionId: string; runId: string } };
    }
  | { type: 'RUN_FINISHED'; threadId: string; runId: string; result: RunResult; outcome?: RunOutcome; usage?: TokenUsage[] }
  | { type: 'RUN_ERROR'; message: string; code: string }
  | { type: 'STEP_STARTED' | 'STEP_FINISHED'; stepName: string }
  | ({ type: 'TEXT_MESSAGE_START'; role: 'assistant' | 'user' } & InMessage)
  | ({ type: 'TEXT_MESSAGE_CONTENT'; delta: string } & InMessage)
  | ({ type: 'TEXT_MESSAGE_END' } & InMessage)
  | ({ type: 'REASONING_START' | 'REASONING_MESSAGE_END' | 'REASONING_END' } & InMessage)
  | ({ type: 'REASONING_MESSAGE_START'; role: 'reasoning' } & InMessage)
  | ({ type: 'REASONING_MESSAGE_CONTENT'; delta: string } & InMessage)
  | ({ type: 'TOOL_CALL_START'; toolCallName: string; parentMessageId: string } & OfCall)
  | ({ type: 'TOOL_CALL_ARGS'; delta: string } & OfCall)
  | ({ type: 'TOOL_CALL_END' } & OfCall)
  | ({ type: 'TOOL_CALL_RESULT'; messageId: string; content: string; role: 'tool' } & OfCall)
  | ({ type: 'SUBAGENT_STARTED'; name: string; description: string; parentToolCallId: string } & OfSubagent)
  | ({ type: 'SUBAGENT_FINISHED'; result: string } & OfSubagent)
  | ({ type: 'SUBAGENT_ERROR'; message: string; code: string } & OfSubagent)
  | { type: 'STATE_SNAPSHOT'; snapshot: Record<string, unknown> }
  | { type: 'STATE_DELTA'; delta: PatchOperation[] }
  | { type: 'CUSTOM'; name: string; value: unknown };
