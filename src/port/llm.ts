/**
 * The model behind the agent. Messages and tool schemas are kept in the wire format of the chat completions API, the very objects
 * that are sent, so that nothing is converted per step.
 */
import { AppError } from '../errors';

export type ThinkingLevel = 'off' | 'minimal' | 'low' | 'medium' | 'high';

/** Name of a call that came without one. Every call needs a name in the history, and no tool has this one. */
export const UNNAMED_CALL = 'unnamed';

export interface WireToolCall {
  id: string;
  type: 'function';
  /** `arguments` is the JSON text exactly as the model wrote it; it may be broken. */
  function: { name: string; arguments: string };
}

export interface SystemMessage {
  role: 'system';
  content: string;
}
export interface UserMessage {
  role: 'user';
  content: string;
}
export interface AssistantMessage {
  role: 'assistant';
  content: string | null;
  tool_calls?: WireToolCall[];
}
export interface ToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}
export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A tool as the model sees it. */
export interface WireTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** Tokens; `reasoningTokens` and `cachedTokens` are parts of the sums, not additions to them. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  reasoningTokens?: number;
  cachedTokens?: number;
}

export interface LlmRequest {
  /** Name of the model; undefined = the adapter's configured model. */
  model?: string;
  messages: readonly ChatMessage[];
  /** Empty = no tools are offered. */
  tools: readonly WireTool[];
  thinkingLevel: ThinkingLevel;
  signal: AbortSignal;
}

/** Called synchronously, in order, while the answer streams. Must not throw and must be quick. */
export interface LlmSink {
  onText(text: string): void;
  onReasoning(text: string): void;
}

/** How the answer ended. `length`: cut by a limit; its tool calls must not be executed. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';

/** One whole, well-formed answer. `message.tool_calls` have ids that are unique within it. */
export interface LlmAnswer {
  message: AssistantMessage;
  reasoning: string;
  finishReason: FinishReason;
  usage?: Usage;
}

/** `details` of a `model_refused` that says: the request is longer than the context window of the model. */
interface ContextOverflow {
  reason: 'context_length';
  /** Size of the window in tokens, when the server said it. */
  contextTokens?: number;
}

/** The context window that the server reported when it refused a request as too long; undefined for any other error. */
export function contextOverflow(thrown: unknown): ContextOverflow | undefined {
  const details = thrown instanceof AppError ? thrown.details : undefined;
  return details?.['reason'] === 'context_length' ? (details as unknown as ContextOverflow) : undefined;
}

export interface LlmPort {
  /** The description of the model for the page, the API and the log. `demo` means a script, not an AI. */
  readonly info: { provider: string; model: string; demo: boolean };
  /**
   * Streams one answer. Retries (few, jittered) only before anything reached the sink. Rejects with an AppError `model_*`; when
   * a request that is too long for the model is refused as `contextOverflow` tells; when
   * `signal` aborts it closes the connection at once and rejects with the signal's reason. Never resolves with a broken answer.
   */
  stream(request: LlmRequest, sink: LlmSink): Promise<LlmAnswer>;
}
