/** Direct calls: single tools outside a run. The caller waits for the result, or asks for it later by the execution's id. */
import { AppError, inOneLanguage } from '../../errors';
import type { IdSource } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import type { Actor } from '../../port/principal';
import type { Redactor } from '../../port/redactor';
import type { Locale } from '../../port/store/sessions';
import type { Store } from '../../port/store/store';
import type { ToolExecutionEnd, ToolExecutionRecord } from '../../port/store/tool_executions';
import type { TraceContext } from '../../port/trace_context';
import { approveCall } from '../../runtime/approval/approval_gate';
import type { ApprovalPolicies } from '../../runtime/approval/approval_policy';
import { outcomeUnknown } from '../../runtime/history';
import type { ResolvedCall } from '../../runtime/resolved_call';
import { TodoStore } from '../../runtime/todo_store';
import { type AssembledTools, assembleTools } from '../../runtime/tool_assembler';
import { executeCall } from '../../runtime/tool_runner/execute_call';
import { endObservation, observeCall } from '../../runtime/tool_runner/record_call';
import { resolveCall } from '../../runtime/tool_runner/resolve_call';
import type { ResultCache } from '../../runtime/tool_runner/result_cache';
import type { ToolRunnerParams } from '../../runtime/tool_runner/runner_params';
import type { ToolResult } from '../../tools/common';
import type { ToolRegistry } from '../../tools/registry';
import type { Slot } from '../../utils/slot';
import { LONG_JSON_UNITS, yieldToEventLoop } from '../../utils/yield_to_event_loop';
import type { Switches } from '../limits/switches';
import { OncePerKey } from '../once_per_key';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import { notBrought } from '../workspace/not_brought';
import type { WorkspaceSync } from '../workspace/workspace_sync';
import { type DirectCallResult, newDirectExecution, toDirectResult, toExecutionEnd, toKeptAnswer, toLostAnswer } from './direct_answer';
import { findDirectTool } from './direct_tool';
import type { FileEditingService } from './file_editing_service';
import type { ToolAccessSources } from './tool_access';
import type { ToolCounts } from './tool_counts';
import { type ToolPorts, toolPorts } from './tool_ports';

export interface DirectCallDeps {
  ports: ToolPorts & { store: Store; ids: IdSource; identity: InstanceId; observer: Observer; redactor: Redactor };
  /** All tools that can run here. */
  tools: ToolRegistry;
  fileEditing: FileEditingService;
  toolAccess: ToolAccessSources;
  workspaceSync: Slot<WorkspaceSync>;
  cache: ResultCache;
  retries: { maxTries: number; retryMs: number };
  policies: Pick<ApprovalPolicies, 'policyOf'>;
  toolCounts: ToolCounts;
  switches: Pick<Switches, 'toolOffText'>;
  onError: LogError;
}

export interface DirectCall extends Actor {
  /** A tool of the catalog; with `command`, a manifest. */
  toolName: string;
  command?: string;
  parameters: Record<string, unknown>;
  /** Milliseconds; shortens the tool's own limit. */
  timeout?: number;
  /** Free object that the caller sends with the call; `user` and `agent` in it are logged. */
  context?: Record<string, unknown>;
  locale: Locale;
  /** The trace of the request. */
  trace?: TraceContext | undefined;
}

/** A call that is logged as running. */
interface StartedCall {
  request: DirectCall;
  execution: ToolExecutionRecord;
  call: ResolvedCall;
  tools: AssembledTools;
  startedAt: number;
}

const LONGEST_CALL_MS = 3_600_000;
/** The most background calls (`respond-async`) at once. */
const MAX_BACKGROUND = 32;

export class DirectCallService {
  /** Id of the execution -> its work, and the controller that stops it. */
  private readonly background = new Map<string, { work: Promise<void>; stop: AbortController }>();
  /** Number of calls in `background` and of calls that are being logged. */
  private backgroundCalls = 0;

  constructor(private readonly deps: DirectCallDeps) {}

  /**
   * Runs one tool without a session. Rejects with `not_found` for a tool that is unknown or cannot run here, and with `invalid_request` when a
   * command is missing. A tool that fails is a result.
   */
  async callTool(request: DirectCall, signal: AbortSignal): Promise<DirectCallResult> {
    const started = await this.start(request, new OncePerKey());
    if (!started) throw new Error('A call without a key was made before.');
    return this.finish(started, signal);
  }

  /**
   * Starts a background call and resolves when it is logged; `findExecution` has its answer later. A repeated request gets the execution of the
   * first. Rejects as `callTool` does, and with `rate_limited` and `idempotency_mismatch`.
   */
  async startCall(request: DirectCall, once = new OncePerKey()): Promise<ToolExecutionRecord> {
    const earlier = await once.findEarlier(this.deps.ports.store.read, request.tenantId);
    return earlier === undefined ? this.startInBackground(request, once) : this.executionOf(request.tenantId, earlier);
  }

  /** Waits for a call that `startCall` started, and resolves with its answer. Rejects `not_found`. */
  async waitForAnswer({ tenantId, locale }: Pick<DirectCall, 'tenantId' | 'locale'>, id: string): Promise<Record<string, unknown>> {
    await this.background.get(id)?.work;
    const { execution, answer } = await this.findExecution(tenantId, id);
    return answer ?? toLostAnswer(execution, locale);
  }

  private async startInBackground(request: DirectCall, once: OncePerKey): Promise<ToolExecutionRecord> {
    if (this.backgroundCalls >= MAX_BACKGROUND) {
      throw new AppError('rate_limited', {
        message: `At most ${MAX_BACKGROUND} calls may run in the background. Wait until one ends.`,
        messageZh: `最多有 ${MAX_BACKGROUND} 个调用在后台执行。请等其中一个结束。`,
        retryAfterMs: 5_000,
      });
    }
    this.backgroundCalls += 1;
    try {
      const started = await this.start(request, once);
      if (!started) {
        this.backgroundCalls -= 1;
        return await this.executionOf(request.tenantId, once.replayedId ?? '');
      }
      const { execution } = started;
      const stop = new AbortController();
      const work = this.finishInBackground(started, stop.signal);
      this.background.set(execution.id, { work, stop });
      void work.finally(() => {
        this.background.delete(execution.id);
        this.backgroundCalls -= 1;
      });
      return execution;
    } catch (thrown) {
      this.backgroundCalls -= 1;
      throw thrown;
    }
  }

  /** Reads one execution, and the whole answer of a call that nobody waited for once it has ended. Rejects with `not_found`. */
  async findExecution(tenantId: string, id: string): Promise<{ execution: ToolExecutionRecord; answer?: Record<string, unknown> }> {
    const execution = await this.executionOf(tenantId, id);
    const answer = await this.deps.ports.store.read.toolExecutions.getAnswer(tenantId, id);
    return { execution, answer };
  }

  private async executionOf(tenantId: string, id: string): Promise<ToolExecutionRecord> {
    const execution = await this.deps.ports.store.read.toolExecutions.get(tenantId, id);
    if (!execution) throw new AppError('not_found');
    return execution;
  }

  /** Stops the background calls; resolves when they have ended. */
  async stopBackgroundCalls(): Promise<void> {
    const running = [...this.background.values()];
    for (const { stop } of running) stop.abort(new Error('The gateway is stopping.'));
    await Promise.all(running.map(({ work }) => work));
  }

  /**
   * Ends direct calls whose process has died, with the status `unknown`. It cannot be known whether a process on another machine is alive, so calls
   * of other machines end after one hour, when no call can still run.
   */
  async endAbandonedCalls(): Promise<void> {
    const { clock, store, identity } = this.deps.ports;
    const isOver = ({ owner, createdAt }: ToolExecutionRecord) =>
      owner !== identity.self && (owner === undefined || identity.isGone(owner) || clock.now() - createdAt > LONGEST_CALL_MS);
    const abandoned = (await store.read.toolExecutions.runningDirectCalls()).filter(isOver);
    if (abandoned.length === 0) return;
    await store.transaction('none', async tx => {
      for (const { tenantId, id } of abandoned)
        await tx.toolExecutions.finish(tenantId, id, { status: 'unknown', error: outcomeUnknown('en'), endedAt: clock.now() });
    });
  }

  /** Finds the tool, checks the arguments and logs the call as running. Resolves undefined when an earlier request made the call. */
  private async start(request: DirectCall, once: OncePerKey): Promise<StartedCall | undefined> {
    const { clock, ids, store, identity } = this.deps.ports;
    const { tenantId, parameters } = request;
    const tool = findDirectTool(this.deps.tools, request);
    const off = this.deps.switches.toolOffText(tenantId, tool.name, request.locale);
    if (off !== undefined) throw new AppError('not_found', { param: '/toolName', ...inOneLanguage(`${tool.name}: ${off}`) });
    const tools = assembleTools([tool], { toolsets: [], names: [tool.name] }, request.locale);
    const id = ids.next('exe');
    const args = JSON.stringify(parameters);
    const startedAt = clock.monotonic();
    const execution = newDirectExecution(request, tool, { id, args, owner: identity.self, createdAt: clock.now() });
    // Parsing and validating long arguments blocks the event loop, so let others run first.
    if (args.length > LONG_JSON_UNITS) await yieldToEventLoop();
    // Validates before waiting for the store: calls that share a commit would otherwise all be validated in one turn of the event loop.
    const call = resolveCall({ id, type: 'function', function: { name: tool.name, arguments: args } }, tools, request.locale);
    await store.transaction(once.lockOf(tenantId), tx =>
      once.makeOnce(tx, { tenantId, now: execution.createdAt }, async () => {
        await tx.toolExecutions.insert(execution);
        return id;
      }),
    );
    return once.replayedId === undefined ? { request, execution, call, tools, startedAt } : undefined;
  }

  /** `isKept`: stores the whole answer together with the end, so that an execution that has ended has its answer. */
  private async finish(started: StartedCall, signal: AbortSignal, { isKept = false } = {}): Promise<DirectCallResult> {
    const { request, execution, call, tools, startedAt } = started;
    const { clock } = this.deps.ports;
    const { tenantId, tool } = execution;
    // A direct call has no person to ask.
    const gate = { policy: this.deps.policies.policyOf(tenantId) };
    const approved = await approveCall(call, { gate, label: tool, locale: request.locale, signal });
    const params = this.runnerParams(request, { tools, signal });
    const work = observeCall(approved, params);
    const outcome = approved.refusal ?? (await this.executeWithFiles(approved, params));
    endObservation(work, { call: approved, result: outcome }, { content: outcome.content, isInvalid: call.refusal !== undefined });
    const durationMs = Math.round(clock.monotonic() - startedAt);
    const { ok, content, details } = outcome;
    this.deps.toolCounts.recordCall(tenantId, tool, { ok, durationMs, details, resultUnits: content.length });
    const answer = { ...toDirectResult(outcome), durationMs, timestamp: new Date(clock.now()).toISOString() };
    await this.recordEnd(
      execution,
      toExecutionEnd(outcome, durationMs, clock.now()),
      isKept ? toKeptAnswer(answer, request.locale) : undefined,
    );
    return answer;
  }

  /** Brings the files of the tenant up to date before the call, and stores those that it changed. The result says so when the files cannot be brought. */
  private async executeWithFiles(call: ResolvedCall, params: ToolRunnerParams): Promise<ToolResult> {
    const files = this.deps.workspaceSync.current;
    const { tenantId, locale } = params.toolContext;
    try {
      await files.bring(tenantId);
    } catch (thrown) {
      this.deps.onError(`tool execution ${call.id} was not run: the files of its workspace cannot be brought up to date`, thrown);
      return notBrought(locale, thrown);
    }
    const result = await executeCall(call, params);
    await files.keep(tenantId, { signal: params.signal });
    return result;
  }

  /** Ends a background call. Never rejects. */
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
      store.transaction('none', async tx => {
        if (answer) await tx.toolExecutions.putAnswer(tenantId, id, answer);
        await tx.toolExecutions.finish(tenantId, id, end);
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
    const { tenantId, locale, timeout, context, trace } = request;
    const toolContext = {
      tenantId,
      locale,
      ...toolPorts(ports, request),
      todos: new TodoStore([]),
      ...this.deps.fileEditing.contextOf({ tenantId }),
      ...this.deps.toolAccess.accessFor(request),
      callContext: context,
      trace,
    };
    const journal = { delta: () => {}, append: () => {}, record: async () => {} };
    return {
      ...run,
      clock: ports.clock,
      toolContext,
      journal,
      cache: this.deps.cache,
      retries: this.deps.retries,
      redactor: ports.redactor,
      observation: { observer: ports.observer },
      timeoutMs: timeout,
    };
  }
}
