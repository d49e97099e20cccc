/**
 * Runs the tool calls of a model for a program that asks the model itself. The gateway does not use this executor, because the agent loop of the
 * gateway has a run and a journal.
 */
import type { Clock } from '../port/clock';
import { type ToolMessage, UNNAMED_CALL, type WireTool, type WireToolCall } from '../port/llm';
import type { DeltaBody } from '../port/run_event';
import { ToolInputError } from '../tools/common';
import { type ToolOutcome, type ToolRegistry, toOutcome } from '../tools/registry';
import type { RecordBody } from './journal';
import { TodoStore } from './todo_store';
import { type AssembledTools, extendTools } from './tool_assembler';
import { executeCall } from './tool_runner/execute_call';
import { resolveCall } from './tool_runner/resolve_call';
import { ResultCache } from './tool_runner/result_cache';
import type { ToolRunContext, ToolRunnerParams } from './tool_runner/runner_params';
import { createToolRunner } from './tool_runner/tool_runner';

/** Parts of the context that tools get. A tool that needs a part that is missing gives an error result that names the part. */
export type ToolParts = Partial<Omit<ToolRunContext, 'sessionId'>>;

export interface ToolExecutorOptions {
  registry: ToolRegistry;
  context?: ToolParts;
  /** Milliseconds for which the result of a read is kept; 0: not at all. Default: 300,000. */
  cacheTtlMs?: number;
  /** Tries of a call that reads or is idempotent, the first one included, and the wait before the second. Default: 3 tries, 200 ms. */
  retries?: { maxTries: number; retryMs: number };
  /** Gets the start, the output and the end of each call; the end says `ok`, `durationMs`, `cached` and `duplicate`. It must not throw. */
  onEvent?: (event: RecordBody | DeltaBody) => void;
  /** Clock for waits and times. Default: the clock of the machine. */
  clock?: Clock;
}

/** A tool call as chat completions APIs answer it. `arguments` may be parsed already. */
export interface GivenToolCall {
  id: string;
  function?: { name: string; arguments?: unknown };
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Replaces parts of the executor's context in these calls. */
  context?: ToolParts;
}

/** Further fields, such as `temperature` or `tool_choice`, go into the request as they are. */
export interface RequestOptions {
  model: string;
  /** Default: all tools of the registry. */
  tools?: readonly WireTool[];
  [field: string]: unknown;
}

export interface ChatRequest<M> {
  model: string;
  messages: M[];
  tools?: readonly WireTool[];
  [field: string]: unknown;
}

/**
 * Serves one session. Calls are validated, cached, retried and truncated as in a run of the gateway; rules of approvals belong to the gateway and
 * are not applied.
 * @example
 * import { builtinTools } from '../builtin_tools';
 * import { ToolRegistry } from '../tools/registry';
 * import { ToolExecutor } from './tool_executor';
 *
 * const executor = new ToolExecutor({ registry: new ToolRegistry(builtinTools()) });
 * const sum = { id: 'call_1', function: { name: 'calculator', arguments: '{"expression":"1+2"}' } };
 * export const messages = executor.processToolCalls([sum]);
 */
export class ToolExecutor {
  private readonly clock: Clock;
  private readonly cache: ResultCache;
  private sessions = 1;

  constructor(private readonly options: ToolExecutorOptions) {
    this.clock = options.clock ?? machineClock;
    this.cache = new ResultCache(this.clock, { ttlMs: options.cacheTtlMs ?? 300_000 });
  }

  /**
   * Returns the body of a chat completions request. `tool_choice` is auto unless the options say otherwise; without tools the request has neither
   * field, because model servers refuse an empty list.
   */
  buildRequest<M>(messages: readonly M[], { model, tools, ...more }: RequestOptions): ChatRequest<M> {
    const offered = tools ?? structuredClone(this.assemble('en').wireTools);
    const request = { model, messages: [...messages] };
    return offered.length === 0 ? { ...request, ...more } : { ...request, tools: offered, tool_choice: 'auto', ...more };
  }

  /**
   * Runs the calls of one answer. Resolves with the messages to append after it, one for each id, in the order of the calls: unknown tools, bad
   * arguments, exceptions, timeouts and aborted calls have an error as their message. Of calls with the same id, the first one runs.
   */
  async processToolCalls(calls: readonly GivenToolCall[] | null | undefined, options: CallOptions = {}): Promise<ToolMessage[]> {
    const ids = new Set<string>();
    const distinct = (calls ?? []).filter(({ id }) => !ids.has(id) && ids.add(id));
    const outcomes = await createToolRunner(this.runnerParams(options)).runCalls(distinct.map(toWireCall));
    return outcomes.map(({ message }) => message);
  }

  /** Runs one tool, past the cache. Never rejects. Only calls that read or are idempotent are retried, because others may have had their effect. */
  async executeWithRetry(
    name: string,
    args: unknown,
    { retries, ...options }: CallOptions & Pick<ToolExecutorOptions, 'retries'> = {},
  ): Promise<ToolOutcome> {
    const params = { ...this.runnerParams(options), retries: retries ?? this.options.retries };
    const call = resolveCall(toWireCall({ id: 'call', function: { name, arguments: args } }), params.tools, params.toolContext.locale);
    return toOutcome(call.refusal ?? (await executeCall(call, params)));
  }

  /** Begins a new session: results of earlier calls count as cached from now on, not as duplicates. */
  clearHistory(): void {
    this.sessions += 1;
  }

  private assemble(locale: ToolRunContext['locale']): AssembledTools {
    return extendTools({ names: [], byName: new Map(), wireTools: [] }, this.options.registry.list(), locale);
  }

  private runnerParams({ signal, context }: CallOptions): ToolRunnerParams {
    const { retries, onEvent = () => {}, context: shared } = this.options;
    const toolContext = { ...emptyContext(this.clock), ...shared, ...context, sessionId: `session_${this.sessions}` };
    return {
      tools: this.assemble(toolContext.locale),
      toolContext,
      journal: { delta: onEvent, append: onEvent, record: async body => onEvent(body) },
      clock: this.clock,
      signal: signal ?? new AbortController().signal,
      cache: this.cache,
      retries,
    };
  }
}

const emptyContext = (clock: Clock): ToolRunContext => ({
  tenantId: 'default',
  locale: 'en',
  workspace: missingPart('workspace'),
  shell: missingPart('shell'),
  todos: new TodoStore([]),
  clock,
});

/** Stands in for a part of the context that is missing: using it gives the model an error. */
function missingPart<T extends object>(part: string): T {
  const refuse = (): never => {
    throw new ToolInputError(
      `This tool cannot be used here: the program that runs it gives tools no ${part}.`,
      `这个工具在此处不能使用：运行它的程序没有提供 ${part}。`,
    );
  };
  return new Proxy({} as T, { get: refuse });
}

function toWireCall({ id, function: called }: GivenToolCall): WireToolCall {
  const args = called?.arguments ?? {};
  return {
    id,
    type: 'function',
    function: { name: called?.name || UNNAMED_CALL, arguments: typeof args === 'string' ? args : toJson(args) },
  };
}

/** Returns a text that is not JSON for a value that cannot be JSON, so that the call is refused. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Timers of this clock keep the process alive, unlike the gateway's: a script has nothing else to do while it waits for a retry. */
const machineClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    if (milliseconds === Number.POSITIVE_INFINITY) return () => {};
    const timer = setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
