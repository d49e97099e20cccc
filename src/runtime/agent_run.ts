/** The input of one run of the loop, and the outcome of one of its attempts. */
import type { CallerCall } from '../port/caller';
import type { IdSource } from '../port/clock';
import type { ChatMessage, LlmAnswer, LlmPort, LlmRequest, ReadImage, SystemMessage, ThinkingLevel, Usage, UserMessage } from '../port/llm';
import type { ModelParameters } from '../port/model_parameters';
import type { IncompleteReason } from '../port/run_event';
import type { ToolLocale } from '../tools/common';
import type { Question } from '../tools/question';
import type { Compaction } from './compaction/compaction_params';
import type { HistorySummary } from './compaction/visible_history';
import type { ToolRunnerParams } from './tool_runner/runner_params';
import type { ToolRunner } from './tool_runner/tool_runner';

/** Adds the model, the history and the limits to the parameters of the tool runner. */
export interface AgentRunParams extends Omit<ToolRunnerParams, 'timeoutMs' | 'random'> {
  llm: LlmPort;
  /** Id or name of the model. Undefined: the default model. */
  model?: string;
  parameters?: ModelParameters;
  /** JSON Schema of the last answer of the turn. Absent: the answer is free text. */
  outputSchema?: Readonly<Record<string, unknown>>;
  /** Id of the model that answered last, when it is not `model`; the loop sets it. */
  answeredBy?: string;
  thinkingLevel: ThinkingLevel;
  locale: ToolLocale;
  /** The system prompt. Many runs share one object, so that its bytes and size are cached once. */
  systemMessage: SystemMessage;
  /** Valid history that ends with the user's message. The loop appends every message that it records. */
  history: ChatMessage[];
  /** Index in `history` of the message that began the run. */
  turnStart: number;
  /** The first message of the conversation, when `history` begins with a later one. */
  opening?: ChatMessage;
  /** The summary that stands for the beginning of `history` in requests. The loop replaces it when it compacts the history again. */
  summary?: HistorySummary;
  /** Reads the images that messages of the session name. Absent: no message has images. */
  readImage?: ReadImage;
  /** Absent: messages that do not fit into the context are left out, never summarised. */
  compaction?: Compaction;
  /** Absent once the run is stored; see LlmRequest. */
  accepted?: Promise<void>;
  limits: {
    maxToolIterations: number;
    maxContextMessages: number;
    /** Context window of the model, answer included. The loop lowers it for the rest of the run when the server reports a smaller window. */
    contextTokens: number;
  };
  /** The loop adds tokens here as it goes, so that the sum is known when the run fails. */
  usage: Usage;
  ids: IdSource;
  /** True when a program gave the history: the loop then adds no text to the messages of the history. */
  isGiven?: boolean;
  /** The caller gets a question as a call of a tool of its own, so readers do not see the question as text while the run goes on. */
  handsQuestionsBack?: boolean;
  /** Called with each complete answer of the model, in order. Must not throw. */
  onAnswer?: (request: LlmRequest, answer: LlmAnswer) => void;
  /** Runs the tool calls. Absent: a runner over `tools`. */
  toolRunner?: ToolRunner;
  /** Takes the messages that a person sent into the running turn; called before each attempt. */
  takeSteeringMessages?: () => Promise<readonly UserMessage[]>;
}

/** What one model call and its tool calls led to. */
export interface AttemptOutcome {
  next: 'answered' | 'continue' | 'question' | 'handed_back';
  text: string;
  /** The limit that cut the answer short. */
  cut?: IncompleteReason;
  question?: Question;
  /** Tool calls that go back to the caller of the run. */
  callerCalls?: CallerCall[];
  /** A note for the model: a part of its answer looks like a tool call and is none. */
  note?: string;
}
