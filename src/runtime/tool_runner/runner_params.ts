/** The input of a tool runner. */
import type { Clock } from '../../port/clock';
import type { ImageReference } from '../../port/llm';
import type { RunObservation } from '../../port/observer';
import type { Redactor } from '../../port/redactor';
import type { CutReason } from '../../port/run_event';
import type { ToolContext, ToolImage, ToolResult } from '../../tools/common';
import type { ClarifyOutcome, Question } from '../../tools/question';
import type { ApprovalGate } from '../approval/approval_gate';
import type { RunJournal } from '../journal';
import type { RunSpending } from '../run_spending';
import type { AssembledTools } from '../tool_assembler';
import type { SpillResult } from './output_limiter';
import type { ResultCache } from './result_cache';

/** The context that all calls of a run share; the runner adds the fields of one call. */
export type ToolRunContext = Omit<ToolContext, 'toolCallId' | 'taint' | 'signal' | 'attachesImages' | 'onOutput' | 'onClarifyRequest'> & {
  /** Blocks until the person answers; absent in runs that do not wait for answers. */
  readonly askPerson?: (ask: Question & { toolCallId: string; signal: AbortSignal }) => Promise<ClarifyOutcome>;
};

/** The stored state of a run that continues after an interruption. */
export interface ResumedRun {
  /** Attempts with tool calls that are stored. */
  attempts: number;
  /** Ids of calls that had begun and have no result: their outcome is unknown. */
  interrupted: ReadonlySet<string>;
  /** Ids of calls whose stored result is a failure; calls that were refused count too. */
  failed: ReadonlySet<string>;
  /** The limit of the model that cut the last stored answer. */
  cut?: CutReason;
}

export interface ToolRunnerParams {
  tools: AssembledTools;
  toolContext: ToolRunContext;
  journal: RunJournal;
  clock: Clock;
  signal: AbortSignal;
  /** Shortens the time limit of every call, milliseconds. */
  timeoutMs?: number;
  /** Limits of calls that only read or are idempotent. Default: those of TOOL_LIMITS. */
  retries?: { maxTries: number; retryMs: number };
  /** Cache that all runs of the process share. Absent: no result is cached. */
  cache?: ResultCache;
  /** Removes the secrets of the gateway from results and output. Absent: nothing is removed. */
  redactor?: Redactor;
  /** Stores results that are too long for the model. */
  spill?: SpillResult;
  /** Stores images with the next event that is recorded, and returns their references. Absent: results have no images. */
  storeImages?: (images: readonly ToolImage[]) => ImageReference[];
  /** Returns a number from 0 to 1 that spreads retries over time. */
  random?: () => number;
  /** Present when the run continues after an interruption. */
  resumed?: ResumedRun;
  /** Called right before a tool runs; rejects when another process has taken the run over. */
  assureLease?: () => Promise<void>;
  /** Called before a call reads or changes files. Resolves with a result in the place of the call when the files cannot be brought up to date. */
  prepareFiles?: (() => Promise<ToolResult | undefined>) | undefined;
  /** Called when a call starts, with a function that stops this call alone. The runner calls the returned function when the call has ended. */
  onCallStart?: (toolCallId: string, stop: () => void) => () => void;
  /** Counts the usage of the run and holds its budget. Absent: nothing is limited. */
  spending?: RunSpending;
  /** Observes the calls. Absent: nothing observes them. */
  observation?: RunObservation;
  /** Returns a sentence for the model when an operator has switched the tool off, or when the chat allows no call with these arguments. `args`: valid ones. */
  toolOff?: (tool: string, args: unknown) => string | undefined;
  /** Decides which calls need a person's approval. Absent: no call does. */
  approval?: ApprovalGate;
}
