/** What one run of the loop is given. */
import type { Clock, IdSource } from '../port/clock';
import type { ChatMessage, LlmPort, ThinkingLevel, Usage } from '../port/llm';
import type { ToolLocale } from '../tools/common';
import type { ApprovalGate } from './approval/approval_gate';
import type { RunJournal } from './journal';
import type { AssembledTools } from './tool_assembler';
import type { SpillResult } from './tool_runner/output_limiter';
import type { ResultCache } from './tool_runner/result_cache';
import type { ResumedRun, ToolRunContext } from './tool_runner/tool_runner';

export interface AgentRunParams {
  llm: LlmPort;
  /** Undefined: the configured model. */
  model?: string;
  thinkingLevel: ThinkingLevel;
  locale: ToolLocale;
  systemPrompt: string;
  /** Valid history that ends with the user's message. The loop appends to it, in wire format, what it also records. */
  history: ChatMessage[];
  tools: AssembledTools;
  toolContext: ToolRunContext;
  limits: {
    maxToolIterations: number;
    maxContextMessages: number;
    /** Context window of the model, with its answer. Lowered here for the rest of the run when the server turns out to have a smaller one. */
    contextTokens: number;
  };
  signal: AbortSignal;
  journal: RunJournal;
  /** Tokens are added up in here as the run goes, so that they are known when it fails. */
  usage: Usage;
  clock: Clock;
  ids: IdSource;
  /** Results of earlier reads. */
  cache?: ResultCache;
  /** Where results go that are too long for the model. */
  spill?: SpillResult;
  /** Present when the run goes on after an interruption. */
  resumed?: ResumedRun;
  /** Asked right before a tool runs; rejects when the run is no longer this process's. */
  mayRun?: () => Promise<void>;
  /** Told how to stop one tool call while it runs; returns what to do when it has ended. */
  onCallStart?: (toolCallId: string, stop: () => void) => () => void;
  /** What needs a person's yes, and how to get it. Absent: nothing does. */
  approval?: ApprovalGate;
  /** Messages that a person sent into the running turn; asked for between attempts. */
  takeSteeringMessages?: () => Promise<readonly string[]>;
}
