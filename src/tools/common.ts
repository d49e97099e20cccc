/**
 * What a tool is. A tool is data (a spec) plus one function; it touches the world only through the context it is given, so the same tool
 * runs in a chat, in a REST run, in a direct call and in a test.
 */
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Clock } from '../port/clock';
import type { CpuTasks } from '../port/cpu_tasks';
import type { FileSearch } from '../port/file_search';
import type { PatchEngine } from '../port/patch_engine';
import type { TodoItem, TodoSummary } from '../port/run_event';
import type { Shell, TerminalState } from '../port/shell';
import type { WeatherService } from '../port/weather';
import type { WebAccess } from '../port/web';
import type { Workspace } from '../port/workspace';
import type { ChangeKeeper, FileLedger } from './file_editing';
import type { ToolPromptFields } from './tool_prompt';

/**
 * What a call does to the world; parallelism, caching, retries and approval follow from it.
 * read: changes nothing · idempotent: doing it twice is doing it once · write: changes the workspace or session · external: changes the world outside.
 */
export type ToolEffect = 'read' | 'idempotent' | 'write' | 'external';

export type ToolLocale = 'en' | 'zh-CN';

/** Texts of a tool in another language than English. `parameters` names top-level parameters. */
export interface ToolTranslation {
  label: string;
  description: string;
  /** The clause of `whenToUse`. */
  whenToUse?: string;
  parameters?: Record<string, string>;
}

/** The data of a tool: what catalog, prompt, pages and models see. */
export interface ToolSpec extends ToolPromptFields {
  readonly name: string;
  readonly toolset: string;
  /** Short title for people. */
  readonly label: string;
  /** For the model: what, when, when not, limits with numbers. */
  readonly description: string;
  readonly effect: ToolEffect;
  /** TypeBox schema or plain JSON Schema of an object. */
  readonly parameters: TSchema | Record<string, unknown>;
  readonly translations?: { readonly 'zh-CN': ToolTranslation };
  /** Given to every agent, whatever is chosen for it. */
  readonly always?: boolean;
  /** The kind of content that results can hold: private (from the workspace) or untrusted (written by strangers). */
  readonly reads?: 'private' | 'untrusted';
  /** Sends its arguments to computers outside, to hosts that the arguments name or to a service. */
  readonly reaches?: 'outside';
  /** What the tool does in the workspace: finds paths, reads file contents, changes files, or runs commands, which can do all three. */
  readonly workspace?: 'find' | 'read' | 'change' | 'run';
  /**
   * Runs in the session's terminal, so the same arguments can do something else after an earlier call. An approval then covers one call only, and
   * the question says in which directory the command would run.
   */
  readonly keepsState?: boolean;
}

/** What a finished call gives back. `content` is for the model; the runner clips it. */
export interface ToolResult {
  ok: boolean;
  content: string;
  /** Small facts for pages and logs (diff, strategy, exit code ...). */
  details?: Record<string, unknown>;
  /** The result as data, for programs that call the tool directly; models, pages and logs do not get it. The tool bounds its size. */
  data?: Record<string, unknown>;
  /** A time limit ended the call. */
  isTimeout?: boolean;
  /** Text that is compared to see whether two results are the same, for tools whose `content` differs each time (a duration). Default: `content`. */
  comparable?: string;
  /** The same call may succeed a moment later. */
  isRetryable?: boolean;
  /** Why a call that failed did not end by itself. */
  status?: 'cancelled' | 'unknown';
  /** Set by clarify in runs that do not wait for answers: the turn ends and this question is the answer. */
  question?: Question;
}

/** A question to a person; `choices`, when present, has at least one entry. */
export interface Question {
  question: string;
  choices?: string[];
}

export const textResult = (content: string, details?: Record<string, unknown>, data?: Record<string, unknown>): ToolResult => ({
  ok: true,
  content,
  ...(details && { details }),
  ...(data && { data }),
});

/** An expected failure. `content` tells the model what went wrong and what to do next. */
export const errorResult = (content: string, details?: Record<string, unknown>): ToolResult => ({
  ok: false,
  content,
  ...(details && { details }),
});

/** Arguments that pass the schema but make no sense together. Its message is for the model. */
export class ToolInputError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolInputError';
  }
}

/** Why the signal of a call aborted when the call's time was up. */
export class ToolTimeout extends Error {
  constructor(
    message: string,
    readonly limitMs: number,
  ) {
    super(message);
    this.name = 'ToolTimeout';
  }
}

/** The plan of a session. */
export interface TodoList {
  read(): TodoItem[];
  /** Replaces the list, or merges by id (known ids are updated in place, new ones appended). More than one in_progress: a ToolInputError. */
  write(todos: readonly TodoItem[], merge: boolean): void;
  summary(): TodoSummary;
}

/** The terminal of a session. */
export interface Terminal {
  /**
   * Runs `work` with what the terminal remembers (undefined: nothing yet) and then remembers `next`, if there is one. One after another: work that
   * comes meanwhile waits. Rejects when the memory cannot be read or written.
   */
  use<T>(work: (state: TerminalState | undefined) => Promise<{ result: T; next?: TerminalState }>): Promise<T>;
}

/** Answer of a person, or why there is none. */
export type ClarifyOutcome = { status: 'answered'; answer: string } | { status: 'expired' } | { status: 'cancelled' };

export interface ToolContext {
  /** Whom the call is for: the user that owns the session and all that it stores. */
  readonly tenantId: string;
  /** Absent in a direct call. */
  readonly sessionId?: string;
  readonly runId?: string;
  readonly toolCallId: string;
  readonly locale: ToolLocale;
  /** Aborts when the run is cancelled or the call's time is up. */
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly shell: Shell;
  readonly todos: TodoList;
  /** Absent in a direct call, which has no session. */
  readonly terminal?: Terminal;
  /** Absent in a direct call, which has no session. */
  readonly fileLedger?: FileLedger;
  readonly changes?: ChangeKeeper;
  /** Absent: everything is done in this thread. */
  readonly patchEngine?: PatchEngine;
  /** Absent: searches run in this thread. */
  readonly fileSearch?: FileSearch;
  /** Absent: large inputs are worked on in this thread. */
  readonly cpuTasks?: CpuTasks;
  /** Absent: the clock of the machine. */
  readonly clock?: Pick<Clock, 'now'>;
  /** Absent where the web may not be reached. */
  readonly web?: WebAccess;
  readonly weather?: WeatherService;
  /** Blocks until the person answers; absent in runs that do not wait for answers. */
  readonly onClarifyRequest?: (question: string, choices?: string[]) => Promise<ClarifyOutcome>;
  /** Output while the call runs; never awaited. */
  readonly onOutput: (chunk: string) => void;
}

export interface AgentTool extends ToolSpec {
  /** Time limit of one call in milliseconds; waiting for a person does not count. Default: the runner's. */
  readonly timeoutMs?: number;
  /** Raised when the results change for the same arguments; part of the cache's key. */
  readonly version?: string;
  /** Never answered from the cache although it only reads: what it reads can be changed by anybody, files of the workspace say. */
  readonly isVolatile?: boolean;
  /** Name of a tool that does the same job. An agent that has that one gets this one only when its profile names it. */
  readonly doubles?: string;
  /** Asks a person. In runs that cannot wait for an answer, a valid call ends the turn, and later calls of the same reply do not run. */
  readonly asksPerson?: boolean;
  /** Running the call again after an interruption takes up the same call, whatever the effect is. */
  readonly isResumable?: boolean;
  /** Arguments are validated already. An expected failure is an errorResult; a throw is a bug and becomes an error result in the runner. */
  execute(args: unknown, ctx: ToolContext): Promise<ToolResult>;
}

/**
 * Defines a tool as data and one function. `execute` gets arguments that are valid and have the type of `parameters`. It returns `errorResult` for
 * an expected failure; what it throws becomes an error result too, and counts as a bug.
 * @example
 * import { Type } from '@sinclair/typebox';
 * import { defineTool, errorResult, textResult } from './tools/common';
 *
 * export const rollTool = defineTool({
 *   name: 'roll_dice',
 *   toolset: 'games',
 *   label: 'Roll dice',
 *   description: 'Rolls 1 to 100 six-sided dice and gives back their sum.',
 *   whenToUse: 'A fair random number is needed',
 *   effect: 'idempotent',
 *   parameters: Type.Object({ count: Type.Integer({ minimum: 1, maximum: 100 }) }, { additionalProperties: false }),
 *   async execute({ count }, ctx) {
 *     if (ctx.signal.aborted) return errorResult('The dice were not rolled.');
 *     const rolls = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 6));
 *     const sum = rolls.reduce((total, roll) => total + roll, 0);
 *     return textResult(`The sum is ${sum}.`, { rolls, sum });
 *   },
 * });
 */
export function defineTool<P extends TObject>(
  tool: Omit<AgentTool, 'parameters' | 'execute'> & {
    parameters: P;
    execute: (args: Static<P>, ctx: ToolContext) => Promise<ToolResult>;
  },
): AgentTool {
  // The runner validates against `parameters` before it calls, so the narrower argument type holds.
  return tool as AgentTool;
}

/** Text in the language of the call. */
export const inLocale = (ctx: Pick<ToolContext, 'locale'>, en: string, zhCN: string): string => (ctx.locale === 'zh-CN' ? zhCN : en);
