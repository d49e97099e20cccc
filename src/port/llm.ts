/**
 * The model behind the agent. Messages and tool schemas have the wire format of the chat completions API: its adapter sends them as they are, the
 * adapters of other APIs convert them.
 */
import type { ModelParameters } from './model_parameters';
import type { ObservedRun } from './observed_run';
import type { TraceContext } from './trace_context';

export type ThinkingLevel = 'off' | 'minimal' | 'low' | 'medium' | 'high';

/** Name for a call that came without one: every call in a history needs a name. No tool has this name. */
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

/** A piece of a prompt. Callers keep one object for one text, so that its bytes are computed once for all prompts that hold it. */
export interface PromptPart {
  readonly text: string;
}

const promptParts = new WeakMap<ChatMessage, readonly PromptPart[]>();

/** Returns a system message with the texts of the parts one after the other, which `promptPartsOf` finds again. */
export function systemMessageOf(parts: readonly PromptPart[]): SystemMessage {
  // Added up, the pieces are copied only when the whole text is read.
  const message: SystemMessage = { role: 'system', content: parts.reduce((content, { text }) => content + text, '') };
  promptParts.set(message, parts);
  return message;
}

/** Returns undefined for a message that was not made of parts. */
export const promptPartsOf = (message: ChatMessage): readonly PromptPart[] | undefined => promptParts.get(message);

/** Summaries, which stay the second message of many requests. */
const summaries = new WeakSet<ChatMessage>();

/** Returns a message that stands for the older part of a history, which `isSummaryMessage` recognises. */
export function summaryMessageOf(content: string): UserMessage {
  const message: UserMessage = { role: 'user', content };
  summaries.add(message);
  return message;
}

export const isSummaryMessage = (message: ChatMessage): boolean => summaries.has(message);

/** Names a stored image; `id` is unique within its session. */
export interface ImageReference {
  id: string;
  mediaType: ImageMediaType;
  /** Size in bytes. */
  bytes: number;
}

export const IMAGE_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type ImageMediaType = (typeof IMAGE_MEDIA_TYPES)[number];

/** Names a stored file; `id` is unique among the images and files of its session. */
export interface FileReference {
  id: string;
  mediaType: 'application/pdf';
  /** Size in bytes. */
  bytes: number;
  name?: string;
  /** Text of the file, for models that cannot read files. Absent: the message has the text, or the file has none that can be extracted. */
  text?: string;
}

/** Says that strangers wrote parts of a message that no person sent. */
export interface ForeignText {
  /** Names the sender, such as `hook deploys`. */
  source: string;
  /** The part that a person of the tenant wrote: it alone counts as a text of a person. */
  ownText: string;
  /** What a model reads before the text; see toModelMessages. */
  note: string;
}

export interface UserMessage {
  role: 'user';
  content: string;
  /**
   * Time at which the person sent the message, in words. A model gets it before the text; see toModelMessages. Absent: soon after the session began.
   */
  time?: string;
  /** Present when the text came from outside. Its values are untrusted, and the person's words are in `ownText` alone. */
  foreign?: ForeignText;
  /** Present when the gateway wrote the message, such as a summary that a program gave back. Models do not get this field. */
  isByGateway?: true;
  /** The person or the key that wrote the message, when one is known. Models do not get this field. */
  by?: string;
  /** The summary that a program gave back, without the words around it; `content` has both. Models do not get this field. */
  summary?: { text: string; locale: 'en' | 'zh-CN' };
  /** Images that the person sent with the text. Adapters never send these references: the bytes are in LlmRequest.images. */
  images?: readonly ImageReference[];
  /** Files that the person sent with the text, as `images`. */
  files?: readonly FileReference[];
}
/** Returns what a model reads before the text of a message, each part on lines of its own; '' for nothing. */
export const prefaceOf = ({ time, foreign }: Pick<UserMessage, 'time' | 'foreign'>): string =>
  [time, foreign?.note].flatMap(part => (part === undefined ? [] : `${part}\n`)).join('');

export interface AssistantMessage {
  role: 'assistant';
  content: string | null;
  tool_calls?: WireToolCall[];
  /** As that of a UserMessage. */
  isByGateway?: true;
  /** Data for the server that wrote the message. Stored with the message; adapters send it back in the form of the server. */
  serverData?: ServerData;
}
/**
 * Fields that a model server sent with a message beyond the common format, and wants back with that message. They are private to that server and
 * its API: no other server gets them, and no door shows them.
 */
export interface ServerData {
  /** Host and path of the server; behind them the name of the API, when it is not the chat completions API. */
  server: string;
  /** Thoughts that stood in the text before `content`, with their tags. */
  textBefore?: string;
  /** Further fields of the message. */
  fields?: Readonly<Record<string, unknown>>;
  /** One entry for each call of the message, in order. */
  calls?: readonly ServerCallData[];
}
export interface ServerCallData {
  /** The id that the server gave the call, when the history has another id for it. */
  id?: string;
  fields?: Readonly<Record<string, unknown>>;
}
export interface ToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
  /** Images of the result, as those of a UserMessage. */
  images?: readonly ImageReference[];
}
export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A tool as the model sees it. */
export interface WireTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/**
 * Tokens and their cost. `reasoningTokens` are part of `outputTokens`; `cachedTokens`, which the server read from its cache, and `cacheWriteTokens`,
 * which it wrote there, are parts of `inputTokens` and have no token in common.
 */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  reasoningTokens?: number;
  cachedTokens?: number;
  /** Adapters report it for the price of the call. No door shows it. */
  cacheWriteTokens?: number;
  /** The service tier that answered, in the server's own word, for the price of the call. No door shows it. */
  serviceTier?: string;
  /** USD, a whole number of nano-dollars. Absent: the price of a model is unknown, which is not 0. */
  costUsd?: number;
}

/** Resolves with the bytes of an image of the session. */
export type ReadImage = (id: string) => Promise<Uint8Array | undefined>;

export interface LlmRequest {
  /** Name of the model. Undefined: the adapter's configured model. */
  model?: string;
  /** Message objects never change, so adapters may cache the bytes of each object. */
  messages: readonly ChatMessage[];
  /** Tools offered to the model; empty: none. Neither the list nor its tools ever change. */
  tools: readonly WireTool[];
  /** Returns true for a tool of an MCP server, a manifest or a caller. Absent: there is none. */
  isForeignTool?: (name: string) => boolean;
  thinkingLevel: ThinkingLevel;
  /** Parameters of the call. Absent fields are not sent. */
  parameters?: ModelParameters;
  /** Reads an image of the messages; undefined when it is gone. Absent: no message has images. */
  readImage?: ReadImage;
  /** The images and files to send by id, for a model that can see. Absent: no message has any. */
  images?: ReadonlyMap<string, Uint8Array>;
  /** JSON Schema of the answer's text, for APIs that can hold a model to one. Absent: the text is free. */
  outputSchema?: Readonly<Record<string, unknown>>;
  /** The answer is a summary for the gateway: parameters for the length and the form of answers, of the request and of the model, do not apply. */
  isSummary?: true;
  /** The most tokens of the answer, in place of the length that parameters give. Applies to summaries too. Absent: the parameters decide. */
  maxOutputTokens?: number;
  /** The run that asks. Observers get it; an adapter keeps what it learns from the answers of a tenant apart from other tenants. */
  run?: ObservedRun;
  /** The trace that the request names in its headers. Absent: the request names none. */
  trace?: TraceContext;
  /** True when another model can answer if this one fails: then retry at most once, and only after a short wait. */
  hasAlternative?: boolean;
  /**
   * Present while the transaction that accepts the run is open: the model works while the disk does, but the answer counts only once this resolves.
   * When it rejects, the call rejects with its reason.
   */
  accepted?: Promise<void>;
  signal: AbortSignal;
}

/** A change from one model to another. `from` and `to` are ids; `reason` is a sentence, `reasonZh` the same in Chinese, and `code` the error code of the first model. */
export interface ModelChange {
  from: string;
  to: string;
  reason: string;
  reasonZh: string;
  code?: string;
}

/** Called synchronously, in order, while the answer streams. Must not throw and must be quick. */
export interface LlmSink {
  onText(text: string): void;
  onReasoning(text: string): void;
  /** Called before the other model is asked, and before any text. */
  onFallback?(change: ModelChange): void;
  /** Called once, when the first part of the answer (text or a tool call) has arrived. */
  onFirstChunk?(): void;
  /** Called before the same request is sent again. `code` is the code of the error. */
  onRetry?(code: string): void;
}

/** Why the answer ended. `length`: a token limit cut it, so its tool calls must not run. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';

/** One complete answer. The ids of `message.tool_calls` are unique within it. */
export interface LlmAnswer {
  message: AssistantMessage;
  reasoning: string;
  /** UTF-16 code units of text that were streamed before `message.content` and turned out to be thoughts. Absent: none. */
  shownBefore?: number;
  finishReason: FinishReason;
  usage?: Usage;
  /** Id of the model that answered, when another model was asked first. */
  answeredBy?: string;
  /** Names of tools of the request that were not offered, because the model's server refuses them. */
  toolsAside?: readonly string[];
}

/**
 * @example
 * import type { LlmPort } from './llm';
 *
 * // A model that repeats the last message.
 * export const echo: LlmPort = {
 *   info: { provider: 'example', model: 'echo', demo: true },
 *   async stream({ messages, signal }, sink) {
 *     signal.throwIfAborted();
 *     const content = messages.at(-1)?.content ?? '';
 *     sink.onText(content);
 *     return { message: { role: 'assistant', content }, reasoning: '', finishReason: 'stop' };
 *   },
 * };
 */
export interface LlmPort {
  /** The description of the model for the page, the API and the log. `demo` means a script, not an AI. */
  readonly info: { provider: string; model: string; demo: boolean };
  /**
   * Streams one answer. Retries a few times, with jitter, as long as the sink has received no text. Rejects with an AppError `model_*`, with
   * ContextOverflow as its details when the request is too long for the model. After an abort it closes the connection at once and rejects
   * with the signal's reason. Never resolves with a broken answer.
   */
  stream(request: LlmRequest, sink: LlmSink): Promise<LlmAnswer>;
  /**
   * Asks the server of the model for the tokens of a request; costs no tokens. Resolves with undefined where the server has no such route, or does not
   * answer. Rejects with the reason of an abort. Absent: the API has none.
   */
  countTokens?(request: LlmRequest): Promise<number | undefined>;
}
