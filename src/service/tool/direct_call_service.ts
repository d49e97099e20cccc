/** Direct calls: single tools outside a run. The caller waits for the result, or asks for it later by the execution's id. */
import { AppError, type ErrorCode } from '../../errors';
import type { IdSource } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import type { LogError } from '../../port/logger';
import type { Actor } from '../../port/principal';
import type { Locale } from '../../port/store/sessions';
import type { Store } from '../../port/store/store';
import type { ToolExecutionEnd, ToolExecutionRecord } from '../../port/store/tool_executions';
import { approveCall } from '../../runtime/approval/approval_gate';
import type { ApprovalPolicy } from '../../runtime/approval/approval_policy';
import { OUTCOME_UNKNOWN } from '../../runtime/history';
import { TodoStore } from '../../runtime/todo_store';
import { type AssembledTools, assembleTools } from '../../runtime/tool_assembler';
import { executeCall } from '../../runtime/tool_runner/execute_call';
import { type ResolvedCall, resolveCall } from '../../runtime/tool_runner/resolved_call';
import type { ResultCache } from '../../runtime/tool_runner/result_cache';
import type { ToolResult } from '../../tools/common';
import type { JobAccessSource } from '../../tools/job_access';
import type { ToolRegistry } from '../../tools/registry';
import { clipStart, clipText } from '../../utils/clip_text';
import { LONG_JSON_UNITS, yieldToEventLoop } from '../../utils/yield_to_event_loop';
import { memoryAccessOf } from '../memory/memory_access';
import type { MemoryService } from '../memory/memory_service';
import { retryWhileStoreUnavailable } from '../run/retry_while_store_unavailable';
import type { SkillAccessService } from '../skill/skill_access_service';
import { findDirectTool } from './direct_tool';
import type { FileEditingService } from './file_editing_service';
import type { ToolCounts } from './tool_counts';
import { type ToolPorts, toolPorts } from './tool_ports';

export interface DirectCallDeps {
  ports: ToolPorts & { store: Store; ids: IdSource; identity: InstanceId };
  /** All tools that can run here. */
  tools: ToolRegistry;
  fileEditing: FileEditingService;
  skillAccess: SkillAccessService;
  cache: ResultCache;
  policy: ApprovalPolicy;
  /** Absent: direct calls reach no jobs. */
  jobs?: JobAccessSource;
  memories: MemoryService;
  toolCounts: ToolCounts;
  onError: LogError;
}

export interface DirectCall extends Actor {
  /** A tool of the catalog; with `command`, a manifest. */
  toolName: string;
  command?: string;
  parameters: Record<string, unknown>;
  /** Milliseconds; shortens the tool's own limit. */
  timeout?: number;
  /** Anything that the caller says about the call; `user` and `agent` are logged. */
  context?: Record<string, unknown>;
  locale: Locale;
}

export interface DirectCallResult {
  status: 'success' | 'error';
  result: unknown;
  error: string | null;
  /** Set for errors that programs may handle by their code. */
  errorCode?: ErrorCode;
  message: string;
  base64?: string;
  durationMs: number;
  timestamp: string;
}

/** A call that is logged as running. */
interface StartedCall {
  request: DirectCall;
  execution: ToolExecutionRecord;
  call: ResolvedCall;
  tools: AssembledTools;
  startedAt: number;
}

const STORED_LIMIT = 8_000;
const LONGEST_CALL_MS = 3_600_000;
/** Calls that nobody waits for, at once. */
const MAX_BACKGROUND = 32;
/** Bytes of an answer that is kept for later. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_NAME_UNITS = 200;

export class DirectCallService {
  private readonly background = new Map<Promise<void>, AbortController>();
  /** Calls in `background`, and those that are being logged. */
  private backgroundCalls = 0;

  constructor(private readonly deps: DirectCallDeps) {}

  /**
   * Runs one tool without a session. Rejects with `not_found` for a tool that is unknown or cannot run here, and with `invalid_request` when a
   * command is missing. A tool that fails is a result.
   */
  async callTool(request: DirectCall, signal: AbortSignal): Promise<DirectCallResult> {
    return this.finish(await this.start(request), signal);
  }

  /** Starts a call and resolves when it is logged; `findExecution` has its answer later. Rejects as `callTool` does, and with `rate_limited`. */
  async startCall(request: DirectCall): Promise<ToolExecutionRecord> {
    if (this.backgroundCalls >= MAX_BACKGROUND) {
      throw new AppError('rate_limited', {
        message: `At most ${MAX_BACKGROUND} calls may run in the background.`,
        messageZh: `最多有 ${MAX_BACKGROUND} 个调用在后台执行。`,
        retryAfterMs: 5_000,
      });
    }
    this.backgroundCalls += 1;
    try {
      const started = await this.start(request);
      const stop = new AbortController();
      const work = this.finishInBackground(started, stop.signal);
      this.background.set(work, stop);
      void work.finally(() => {
        this.background.delete(work);
        this.backgroundCalls -= 1;
      });
      return started.execution;
    } catch (thrown) {
      this.backgroundCalls -= 1;
      throw thrown;
    }
  }

  /** Reads one execution, and the whole answer of a call that nobody waited for once it has ended. Rejects with `not_found`. */
  async findExecution(tenantId: string, id: string): Promise<{ execution: ToolExecutionRecord; answer?: Record<string, unknown> }> {
    const { read } = this.deps.ports.store;
    const execution = await read.getToolExecution(tenantId, id);
    if (!execution) throw new AppError('not_found');
    const answer = await read.getToolAnswer(tenantId, id);
    return { execution, ...(answer && { answer }) };
  }

  /** Stops the calls that nobody waits for; resolves when they have ended. */
  async stopBackgroundCalls(): Promise<void> {
    const running = [...this.background];
    for (const [, stop] of running) stop.abort(new Error('The gateway is stopping.'));
    await Promise.all(running.map(([work]) => work));
  }

  /**
   * Ends direct calls whose process has died, with the status `unknown`. Whether a process on another machine is alive is unknown, so its calls end
   * after one hour, when no call can still run.
   */
  async endAbandonedCalls(): Promise<void> {
    const { clock, store, identity } = this.deps.ports;
    const isOver = ({ owner, createdAt }: ToolExecutionRecord) =>
      owner !== identity.self && (owner === undefined || identity.isGone(owner) || clock.now() - createdAt > LONGEST_CALL_MS);
    const abandoned = (await store.read.runningDirectCalls()).filter(isOver);
    if (abandoned.length === 0) return;
    await store.transaction(async tx => {
      for (const { tenantId, id } of abandoned)
        await tx.finishToolExecution(tenantId, id, { status: 'unknown', error: OUTCOME_UNKNOWN, endedAt: clock.now() });
    });
  }

  /** Finds the tool, checks the arguments and logs the call as running. */
  private async start(request: DirectCall): Promise<StartedCall> {
    const { clock, ids, store, identity } = this.deps.ports;
    const { tenantId, parameters } = request;
    const tool = findDirectTool(this.deps.tools, request);
    const tools = assembleTools([tool], { toolsets: [], names: [tool.name] }, request.locale);
    const id = ids.next('exe');
    const args = JSON.stringify(parameters);
    const startedAt = clock.monotonic();
    const execution: ToolExecutionRecord = {
      tenantId,
      id,
      tool: tool.name,
      ...(tool.command !== undefined && { command: tool.command }),
      ...callerOf(request),
      args: clipText(args, STORED_LIMIT),
      owner: identity.self,
      status: 'running',
      createdAt: clock.now(),
    };
    // Parsing and validating long arguments blocks the event loop, so let others run first.
    if (args.length > LONG_JSON_UNITS) await yieldToEventLoop();
    // Validate before waiting for the store: calls that share a commit would otherwise all be validated in one go.
    const call = resolveCall({ id, type: 'function', function: { name: tool.name, arguments: args } }, tools);
    await store.transaction(tx => tx.insertToolExecution(execution));
    return { request, execution, call, tools, startedAt };
  }

  /** `isKept`: stores the whole answer together with the end, so that an execution that has ended has its answer. */
  private async finish(started: StartedCall, signal: AbortSignal, { isKept = false } = {}): Promise<DirectCallResult> {
    const { request, execution, call, tools, startedAt } = started;
    const { clock } = this.deps.ports;
    const { tenantId, tool } = execution;
    // A direct call has no person to ask.
    const approved = await approveCall(call, { gate: { policy: this.deps.policy }, label: tool, locale: request.locale, signal });
    const outcome = approved.refusal ?? (await executeCall(approved, this.runnerParams(request, { tools, signal })));
    const durationMs = Math.round(clock.monotonic() - startedAt);
    this.deps.toolCounts.recordCall(tenantId, tool, outcome.ok);
    const text = clipText(outcome.content, STORED_LIMIT);
    const answer = { ...toDirectResult(outcome), durationMs, timestamp: new Date(clock.now()).toISOString() };
    const end: ToolExecutionEnd = {
      status: outcome.ok ? 'success' : 'error',
      ...(outcome.ok ? { result: text } : { error: text }),
      durationMs,
      ...(outcome.details && { details: outcome.details }),
      endedAt: clock.now(),
    };
    await this.recordEnd(execution, end, isKept ? toKeptAnswer(answer) : undefined);
    return answer;
  }

  /** Never rejects. */
  private async finishInBackground(started: StartedCall, signal: AbortSignal): Promise<void> {
    try {
      await this.finish(started, signal, { isKept: true });
    } catch (thrown) {
      this.deps.onError(`tool execution ${started.execution.id} failed`, thrown);
    }
  }

  /** Stores the end of a call that has run. Its caller gets the result even while the store is down; the write is retried. */
  private async recordEnd({ tenantId, id }: ToolExecutionRecord, end: ToolExecutionEnd, answer?: Record<string, unknown>): Promise<void> {
    const { store, clock } = this.deps.ports;
    const write = () =>
      store.transaction(async tx => {
        if (answer) await tx.putToolAnswer(tenantId, id, answer);
        await tx.finishToolExecution(tenantId, id, end);
      });
    try {
      await write();
    } catch {
      retryWhileStoreUnavailable(clock, write).catch(thrown =>
        this.deps.onError(`the end of tool execution ${id} cannot be stored`, thrown),
      );
    }
  }

  private runnerParams(request: DirectCall, run: { tools: AssembledTools; signal: AbortSignal }) {
    const { ports } = this.deps;
    const { tenantId, locale, timeout, context } = request;
    const services = {
      ...this.deps.fileEditing.contextOf({ tenantId }),
      skills: this.deps.skillAccess.accessFor(tenantId),
      memories: memoryAccessOf(this.deps.memories, tenantId, { by: 'person' }),
    };
    const jobs = this.deps.jobs?.accessFor(request, locale);
    const given = { ...(context && { callContext: context }), ...(jobs && { jobs }) };
    const toolContext = { tenantId, locale, ...toolPorts(ports, tenantId), todos: new TodoStore([]), ...services, ...given };
    const journal = { delta: () => {}, append: () => {}, record: async () => {} };
    return {
      ...run,
      clock: ports.clock,
      toolContext,
      journal,
      cache: this.deps.cache,
      ...(timeout !== undefined && { timeoutMs: timeout }),
    };
  }
}

/** Returns for whom the call is, as its context says. */
function callerOf({ context = {} }: DirectCall): Pick<ToolExecutionRecord, 'user' | 'agent'> {
  const nameIn = (field: string) => (typeof context[field] === 'string' ? clipStart(context[field], MAX_NAME_UNITS) : undefined);
  const user = nameIn('user');
  const agent = nameIn('agent');
  return { ...(user !== undefined && { user }), ...(agent !== undefined && { agent }) };
}

function toDirectResult(outcome: ToolResult): Omit<DirectCallResult, 'durationMs' | 'timestamp'> {
  const { ok, content, details, data, value, base64, isTimeout } = outcome;
  if (!ok) return { status: 'error', result: null, error: content, ...(isTimeout && { errorCode: 'tool_timeout' }), message: content };
  const result = value === undefined ? { ...data, ...details, content } : value;
  return { status: 'success', result, error: null, message: content, ...(base64 !== undefined && { base64 }) };
}

/** Drops the result of an answer that is too large to be kept, and says so. */
function toKeptAnswer(answer: DirectCallResult): Record<string, unknown> {
  const bytes = Buffer.byteLength(JSON.stringify(answer));
  if (bytes <= MAX_ANSWER_BYTES) return { ...answer };
  const { base64: _base64, ...rest } = answer;
  const error = `The result has ${bytes} bytes, and at most ${MAX_ANSWER_BYTES} are kept. Call the tool without Prefer: respond-async.`;
  return { ...rest, status: 'error', result: null, error, message: error };
}
