/** A run as it was recorded: everything that a replay needs, in one JSON value, so that a suite can keep a copy of it. */
import type { CallerContext } from '../../../port/caller';
import type { AssistantMessage, ChatMessage, ImageReference, ThinkingLevel, Usage, UserMessage, WireTool } from '../../../port/llm';
import type { ModelParameters } from '../../../port/model_parameters';
import type { IncompleteReason, TerminalStatus } from '../../../port/run_event';
import type { RecordedCall } from '../../../port/run_recording';
import type { Interaction, RunLimits, RunOutcome } from '../../../port/store/runs';
import type { Locale } from '../../../port/store/sessions';

/** An answer of the model. `call` is absent for an answer of a process that another one recovered the run from. */
export interface RecordedAnswer {
  message: AssistantMessage;
  call?: RecordedCall;
  /** What people sent into the run before this answer. A message without images and files is its text. */
  steering?: readonly (string | UserMessage)[];
}

/** A tool call with the text that the model got as its result. */
export interface RecordedResult {
  name: string;
  /** The JSON text as the model wrote it. */
  arguments: string;
  content: string;
  images?: readonly ImageReference[];
}

export interface RecordedEnd {
  status: TerminalStatus;
  reason?: IncompleteReason;
  text: string;
  usage: Usage;
  error?: RunOutcome['error'];
  /** The run ended with a question of the agent. */
  asks?: true;
}

export interface RecordedRun {
  id: string;
  agent: string;
  /** The model that was chosen for the run; absent: the model of the agent. */
  model?: string;
  locale: Locale;
  input: string;
  interaction: Interaction;
  limits: RunLimits;
  parameters?: ModelParameters;
  /** JSON Schema of the answer. */
  outputSchema?: Readonly<Record<string, unknown>>;
  thinkingLevel: ThinkingLevel;
  caller?: CallerContext;
  /** The run of a crew member. */
  isMember?: true;
  /** The system prompt in two parts: the one that all sessions of the agent share, and the rest. Absent: they are no longer kept. */
  prompt?: { stable: string; rest: string };
  /** The tools of the first request. Absent: they are no longer kept. */
  tools?: readonly WireTool[];
  /** Names of the tools that were offered later in the run, by the number of the answer, from 0. */
  laterTools?: Readonly<Record<number, readonly string[]>>;
  /** The messages before the first answer, and the summary that stood for their beginning. */
  history: readonly ChatMessage[];
  summary?: { text: string; upTo: number };
  /** Index in `history` of the message that began the run. */
  turnStart: number;
  answers: readonly RecordedAnswer[];
  results: readonly RecordedResult[];
  end: RecordedEnd;
  /** The outline of its log. Absent: its events are no longer kept, it ended with an error, or it was recovered. */
  outline?: readonly string[];
}
