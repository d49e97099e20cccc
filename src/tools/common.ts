/**
 * Defines a tool: data (a spec) plus one function. The function reaches the world only through its context, so the same tool runs in a chat, in a
 * REST run, in a direct call and in a test.
 */
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Clock } from '../port/clock';
import type { CpuTasks } from '../port/cpu_tasks';
import type { FileSearch } from '../port/file_search';
import type { ImageInput } from '../port/image_input';
import type { PatchEngine } from '../port/patch_engine';
import type { TaintSource } from '../port/run_event';
import type { Shell } from '../port/shell';
import type { TraceContext } from '../port/trace_context';
import type { WeatherService } from '../port/weather';
import type { WebAccess } from '../port/web';
import type { Workspace } from '../port/workspace';
import type { CrewAccess } from './crew_access';
import type { ChangeKeeper, FileLedger } from './file_editing';
import type { ClarifyOutcome, Colleagues, Question } from './question';
import type { Terminal, TodoList } from './session_state';
import type { LocalText, ToolPromptFields } from './tool_prompt';

/**
 * The strongest change that a call can make. Parallelism, caching, retries and approvals follow from it. read: none · idempotent: repeating the
 * call changes nothing more · write: the workspace or the session · external: the world outside.
 */
export type ToolEffect = 'read' | 'idempotent' | 'write' | 'external';

export type ToolLocale = 'en' | 'zh-CN';

/** Where a tool comes from. code: methods of a class in this process. mcp: a server of the Model Context Protocol. manifest: a YAML file. */
export type ToolOrigin = 'builtin' | 'code' | 'mcp' | 'manifest';

/**
 * The texts of a tool in another language than English. `parameters` describes parameters by name; the name of a parameter inside another one
 * follows after a dot, such as `todos.id` for the id of each item of `todos`.
 */
export interface ToolTranslation {
  label: string;
  description: string;
  /** The clause of `whenToUse`. */
  whenToUse?: string;
  parameters?: Record<string, string>;
}

export interface ManifestFacts {
  readonly version: string;
  readonly author?: string;
  readonly type: 'sync' | 'async' | 'service';
  readonly runtime: 'python' | 'javascript' | 'native';
  readonly network: boolean;
  readonly tags: readonly string[];
  readonly dependencies: readonly string[];
}

/** The data of a tool, without its function. Catalog, prompt, pages and models read it. */
export interface ToolSpec extends ToolPromptFields {
  readonly name: string;
  readonly toolset: string;
  /** Short title for people. */
  readonly label: string;
  /** Tells the model what the tool does, when to use it, when not, and its limits with numbers. */
  readonly description: string;
  readonly effect: ToolEffect;
  /** TypeBox schema or plain JSON Schema of an object. */
  readonly parameters: TSchema | Record<string, unknown>;
  readonly translations?: { readonly 'zh-CN': ToolTranslation };
  /** Absent: builtin. */
  readonly origin?: ToolOrigin;
  /** Words and example requests by which the tool is found, in addition to its texts. */
  readonly keywords?: { readonly [locale in ToolLocale]?: readonly string[] };
  /** Every agent has the tool, whatever its profile lists; a tool of an MCP server or a manifest only when `discover` of the profile includes it. */
  readonly always?: boolean;
  /** The kind of content that results can hold: private (from the workspace), untrusted (written by strangers), or both. */
  readonly reads?: 'private' | 'untrusted' | 'both';
  /** Calls send their arguments to computers outside: to hosts in the arguments, or to a service. */
  readonly reaches?: 'outside';
  /** What the operator sets up before the tool can work. Without it the tool is listed as disabled. */
  readonly needs?: 'search_service';
  /** What the tool does in the workspace: finds paths, reads file contents, changes files, or runs commands, which can do all three. */
  readonly workspace?: 'find' | 'read' | 'change' | 'run';
  /**
   * Runs in the session's terminal, so the same arguments can do something else after an earlier call. An approval then covers one call only, and
   * the question says in which directory the command would run.
   */
  readonly keepsState?: boolean;
  /** Calls need a person's approval unless a rule of the operator allows them. `reason` is one sentence for the person. */
  readonly approval?: { readonly reason: LocalText };
  /**
   * keeps: later sessions read the argument `text` as a fact, so a call needs approval when a tool result of the same turn holds that text.
   * returns: results are texts that were kept. removes: the call deletes the kept text that its argument `id` names, so it needs approval when a
   * tool result of the same turn may have asked for it.
   */
  readonly memory?: 'keeps' | 'returns' | 'removes';
  /** The command of a manifest that the tool runs; the manifest's name is the toolset. Direct calls and the execution log name both. */
  readonly command?: string;
  /** What the manifest of the tool says about itself, for people. */
  readonly manifest?: ManifestFacts;
}

/** The result of a finished call. `content` is for the model; the runner truncates it. */
export interface ToolResult {
  ok: boolean;
  content: string;
  /** Small facts for pages and logs (diff, strategy, exit code ...). */
  details?: Record<string, unknown>;
  /** The result as data, for programs that call the tool directly; models, pages and logs do not get it. The tool bounds its size. */
  data?: Record<string, unknown>;
  /** The whole result of a direct call, of any JSON type, in place of `content`, `data` and `details`. The tool bounds its size. */
  value?: unknown;
  /** A binary result for programs that call the tool directly, base64. The tool bounds its size. */
  base64?: string;
  /** Images for a model that can see, when the context says `attachesImages`. The runner holds them to its limits. */
  images?: readonly ToolImage[];
  /** Names of tools that the model needs to follow the result; the run gets those that its agent may have. */
  wantedTools?: readonly string[];
  /** A time limit ended the call. */
  isTimeout?: boolean;
  /** Text that loop detection compares, for tools whose `content` always differs, by a duration for example. Default: `content`. */
  comparable?: string;
  /** The failure may be transient; the runner may retry the call. */
  isRetryable?: boolean;
  /** Set by the runner: tries after the first. */
  retries?: number;
  /** Set when a failed call was cancelled, or when its outcome is unknown. */
  status?: 'cancelled' | 'unknown';
  /** Set by a tool that asks a person, in runs that do not wait for answers: the turn ends with this question as its reply. */
  question?: Question;
}

/** An image of a result. */
export type ToolImage = Pick<ImageInput, 'mediaType' | 'bytes'>;

/** Creates the result of a call that succeeded. `details`: facts for pages and logs; `data`: the result for programs. */
export const textResult = (content: string, details?: Record<string, unknown>, data?: Record<string, unknown>): ToolResult => ({
  ok: true,
  content,
  details,
  data,
});

/** An expected failure. `content` tells the model what went wrong and what to do next. */
export const errorResult = (content: string, details?: Record<string, unknown>): ToolResult => ({
  ok: false,
  content,
  details,
});

/** Thrown for arguments that pass the schema but contradict each other. The message is for the model; runs in Chinese get `messageZh`. */
export class ToolInputError extends Error {
  constructor(
    message: string,
    readonly messageZh: string,
  ) {
    super(message);
    this.name = 'ToolInputError';
  }
}

/**
 * What the tools of features can do for the caller of a call. A feature that has tools declares its field here (`declare module`), and fills it with
 * `toolAccess`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add its fields
export interface ToolAccess {}

export interface ToolContext extends ToolAccess {
  /** The user that owns the session and everything stored for it. */
  readonly tenantId: string;
  /** Absent in a direct call. */
  readonly sessionId?: string;
  readonly runId?: string;
  /** Free object that the caller of a direct call sends with it, at most 16 KiB as JSON. Absent in runs. */
  readonly callContext?: Readonly<Record<string, unknown>>;
  readonly toolCallId: string;
  /** The trace that the call belongs to. Requests to other services name it. */
  readonly trace?: TraceContext;
  readonly locale: ToolLocale;
  /** Aborts when the run is cancelled or the time limit of the call has passed. */
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  /** Handle of the person for whom the workspace hides the results of other people's sessions. Absent for a key. */
  readonly filesOf?: string;
  readonly shell: Shell;
  readonly todos: TodoList;
  /** Absent in a direct call, which has no session. */
  readonly terminal?: Terminal;
  /** Absent in a direct call, which has no session. */
  readonly fileLedger?: FileLedger;
  readonly changes?: ChangeKeeper;
  /** Patches in worker threads. Absent: patches run in this thread. */
  readonly patchEngine?: PatchEngine;
  /** Searches in worker threads. Absent: searches run in this thread. */
  readonly fileSearch?: Omit<FileSearch, 'close'>;
  /** Runs large inputs in worker threads. Absent: they are processed in this thread. */
  readonly cpuTasks?: CpuTasks;
  /** Absent: the tool reads the system clock. */
  readonly clock?: Pick<Clock, 'now'>;
  /** Absent: the gateway has no access to the web. */
  readonly web?: WebAccess;
  readonly weather?: WeatherService;
  /** Absent in a direct call, and in a run of an agent without members that no agent delegated. */
  readonly crew?: CrewAccess;
  /** Earlier calls of the run whose results hold the text that this call keeps, or that this call could send outside. */
  readonly taint?: readonly TaintSource[];
  /** Resolves when the person has answered. `withdrawn` takes the question back. Absent in runs that do not wait for answers. */
  readonly onClarifyRequest?: (
    question: string,
    choices?: string[],
    more?: Pick<Question, 'to' | 'escalate'> & { withdrawn?: AbortSignal },
  ) => Promise<ClarifyOutcome>;
  /** Absent in a direct call. */
  readonly colleagues?: Colleagues;
  /** True when the caller stores images of results and shows them to the model. Absent in a direct call. */
  readonly attachesImages?: boolean;
  /** Streams output to clients while the call runs. */
  readonly onOutput: (chunk: string) => void;
}

export interface AgentTool extends ToolSpec {
  /** Time limit of one call in milliseconds; waiting for a person does not count. Default: the runner's. */
  readonly timeoutMs?: number;
  /** Part of the cache key. Raise it when the same arguments give other results than before. */
  readonly version?: string;
  /** The tenants that have the tool. Absent: every tenant. */
  readonly tenants?: readonly string[];
  /** Do not cache results although calls only read: people or programs can change the subject, such as a file of the workspace. */
  readonly isVolatile?: boolean;
  /** Name of a tool that does the same job. An agent with that tool gets this one only when its profile names this one. */
  readonly doubles?: string;
  /** Returns true for valid arguments with which a call keeps a text for later chats, as each call of a tool with `memory: 'keeps'` does. */
  readonly keepsText?: (args: unknown) => boolean;
  /** Asks a person. In runs that cannot wait for an answer, a valid call ends the turn, and later calls of the same reply do not run. */
  readonly asksPerson?: boolean;
  /** The tool belongs to the program that started the run: a call of it ends the run and goes back to that program. */
  readonly isCallers?: true;
  /** delegate: hands tasks to crew members. escalate: asks the master of a crew member, and the person in a run without a master. */
  readonly crew?: 'delegate' | 'escalate';
  /** Returns true for valid arguments with which a call needs no approval although `approval` is set. */
  readonly isHarmless?: (args: unknown) => boolean;
  /**
   * Returns the unified diff, clipped, that a call with valid arguments would make to a file as it is now, for the person who decides about the call.
   * Changes nothing. Undefined: there is no diff to show.
   */
  readonly planDiff?: (args: unknown, ctx: ToolContext) => Promise<string | undefined>;
  /** After an interruption the runner repeats the call, whatever its effect is; the tool goes on where it was. */
  readonly isResumable?: boolean;
  /**
   * Executes a call with valid arguments. Resolves with `errorResult` for an expected failure; the runner turns an exception into an error result.
   */
  execute(args: unknown, ctx: ToolContext): Promise<ToolResult>;
}

/**
 * Defines a tool as data and one function. `execute` gets arguments that are valid and have the type of `parameters`. It returns `errorResult` for
 * an expected failure; what it throws becomes an error result too, and counts as a bug.
 * @example
 * import { Type } from '@sinclair/typebox';
 * import { defineTool, errorResult, textResult } from './common';
 *
 * export const rollTool = defineTool({
 *   name: 'roll_dice',
 *   toolset: 'games',
 *   label: 'Roll dice',
 *   description: 'Rolls 1 to 100 six-sided dice and returns their sum.',
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
  tool: Omit<AgentTool, 'parameters' | 'execute' | 'planDiff'> & {
    parameters: P;
    planDiff?: (args: Static<P>, ctx: ToolContext) => Promise<string | undefined>;
    execute: (args: Static<P>, ctx: ToolContext) => Promise<ToolResult>;
  },
): AgentTool {
  // The runner validates against `parameters` before it calls, so the narrower argument type holds.
  return tool as AgentTool;
}

/** Chooses the text in the language of the call. */
export const inLocale = (ctx: Pick<ToolContext, 'locale'>, en: string, zhCN: string): string => (ctx.locale === 'zh-CN' ? zhCN : en);
