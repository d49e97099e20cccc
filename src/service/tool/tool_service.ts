/** The tool catalog for the doors, and direct calls of single tools outside a run. */
import { AppError, type ErrorCode } from '../../errors';
import type { IdSource } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import type { LogError } from '../../port/logger';
import type { Page, PageRequest } from '../../port/store/page';
import type { Locale } from '../../port/store/sessions';
import type { Store } from '../../port/store/store';
import type { ToolExecutionEnd, ToolExecutionRecord, ToolExecutionStatus } from '../../port/store/tool_executions';
import { approveCall } from '../../runtime/approval/approval_gate';
import type { ApprovalPolicy } from '../../runtime/approval/approval_policy';
import { OUTCOME_UNKNOWN } from '../../runtime/history';
import { TodoStore } from '../../runtime/todo_store';
import { assembleTools } from '../../runtime/tool_assembler';
import { executeCall } from '../../runtime/tool_runner/execute_call';
import { resolveCall } from '../../runtime/tool_runner/resolved_call';
import type { ResultCache } from '../../runtime/tool_runner/result_cache';
import { getSchema, registerSchema } from '../../tools/catalog';
import type { AgentTool, ToolResult } from '../../tools/common';
import type { JobAccessSource } from '../../tools/job_access';
import type { ToolRegistry } from '../../tools/registry';
import { clipText } from '../../utils/clip_text';
import { LONG_JSON_UNITS, yieldToEventLoop } from '../../utils/yield_to_event_loop';
import { memoryAccessOf } from '../memory/memory_access';
import type { MemoryService } from '../memory/memory_service';
import { retryWhileStoreUnavailable } from '../run/retry_while_store_unavailable';
import type { SkillAccessService } from '../skill/skill_access_service';
import type { FileEditingService } from './file_editing_service';
import type { ToolCallCount, ToolCounts } from './tool_counts';
import { listToolRows, listToolsetRows, type ToolFilter, type ToolRow, unavailableText } from './tool_listing';
import { type ToolPorts, toolPorts } from './tool_ports';

export interface ToolServiceDeps {
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

export interface DirectCall {
  tenantId: string;
  toolName: string;
  parameters: Record<string, unknown>;
  /** Milliseconds; shortens the tool's own limit. */
  timeout?: number;
  locale: Locale;
}

export interface DirectCallResult {
  status: 'success' | 'error';
  result: unknown;
  error: string | null;
  /** Set for errors that programs may handle by their code. */
  errorCode?: ErrorCode;
  message: string;
  durationMs: number;
  timestamp: string;
}

const STORED_LIMIT = 8_000;
const LONGEST_CALL_MS = 3_600_000;

export class ToolService {
  constructor(private readonly deps: ToolServiceDeps) {}

  /**
   * Adds tools for agents and direct calls, and their specs to the catalog. Call it before the gateway accepts requests. Throws when a name is taken
   * by a tool that runs here, or when model servers would not accept it. A tool whose schema cannot be used is listed as disabled, with the reason.
   */
  addTools(tools: readonly AgentTool[]): void {
    for (const tool of tools) {
      this.deps.tools.register(tool);
      const problem = this.deps.tools.problemOf(tool.name);
      // A schema that cannot be compiled may be too large to show.
      registerSchema(problem === undefined ? tool : { ...tool, parameters: { type: 'object' } });
      if (problem !== undefined) this.deps.onError(`the tool ${tool.name} is disabled`, new Error(problem));
    }
  }

  /** Returns every tool of the catalog, then those of MCP servers and manifests; `enabled` says whether this gateway can run it. */
  listTools(tenantId: string, locale: Locale, filter?: ToolFilter): (ToolRow & ToolCallCount & { countedSince: string })[] {
    const { tools, toolCounts } = this.deps;
    const countedSince = new Date(toolCounts.since).toISOString();
    const rows = listToolRows(tools, locale, filter);
    return rows.map(row => ({ ...row, ...toolCounts.callsOf(tenantId, row.name), countedSince }));
  }

  listToolsets() {
    return listToolsetRows(this.deps.tools);
  }

  listExecutions(
    tenantId: string,
    filter: { tool?: string; status?: ToolExecutionStatus; sessionId?: string; runId?: string; since?: number },
    page: PageRequest,
  ): Promise<Page<ToolExecutionRecord>> {
    return this.deps.ports.store.read.listToolExecutions(tenantId, filter, page);
  }

  /** Runs one tool without a session. Rejects with `not_found` for a tool that is unknown or cannot run here. A tool that fails is a result. */
  async callTool(request: DirectCall, signal: AbortSignal): Promise<DirectCallResult> {
    const { clock, ids, store, identity } = this.deps.ports;
    const { tenantId, toolName, parameters } = request;
    const tool = this.deps.tools.get(toolName);
    const tools = assembleTools(tool ? [tool] : [], { toolsets: [], names: [toolName] }, request.locale);
    if (!tool) throw noTool(toolName, request.locale, this.deps.tools.problemOf(toolName));
    const id = ids.next('exe');
    const args = JSON.stringify(parameters);
    const startedAt = clock.monotonic();
    const createdAt = clock.now();
    const stored = { tenantId, id, tool: toolName, args: clipText(args, STORED_LIMIT), owner: identity.self, createdAt };
    // Parsing and validating long arguments blocks the event loop, so let others run first.
    if (args.length > LONG_JSON_UNITS) await yieldToEventLoop();
    // Validate before waiting for the store: calls that share a commit would otherwise all be validated in one go.
    const prepared = resolveCall({ id, type: 'function', function: { name: toolName, arguments: args } }, tools);
    await store.transaction(tx => tx.insertToolExecution({ ...stored, status: 'running' }));
    // A direct call has no person to ask.
    const call = await approveCall(prepared, { gate: { policy: this.deps.policy }, label: toolName, locale: request.locale, signal });
    const outcome = call.refusal ?? (await executeCall(call, this.runnerParams(request, { tools, signal })));
    const durationMs = Math.round(clock.monotonic() - startedAt);
    this.deps.toolCounts.recordCall(tenantId, toolName, outcome.ok);
    const text = clipText(outcome.content, STORED_LIMIT);
    await this.recordEnd(tenantId, id, {
      status: outcome.ok ? 'success' : 'error',
      ...(outcome.ok ? { result: text } : { error: text }),
      durationMs,
      ...(outcome.details && { details: outcome.details }),
      endedAt: clock.now(),
    });
    return { ...toDirectResult(outcome), durationMs, timestamp: new Date(clock.now()).toISOString() };
  }

  /** Stores the end of a call that has run. Its caller gets the result even while the store is down; the write is retried. */
  private async recordEnd(tenantId: string, id: string, end: ToolExecutionEnd): Promise<void> {
    const { store, clock } = this.deps.ports;
    const write = () => store.transaction(tx => tx.finishToolExecution(tenantId, id, end));
    try {
      await write();
    } catch {
      retryWhileStoreUnavailable(clock, write).catch(thrown =>
        this.deps.onError(`the end of tool execution ${id} cannot be stored`, thrown),
      );
    }
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

  private runnerParams(request: DirectCall, run: { tools: ReturnType<typeof assembleTools>; signal: AbortSignal }) {
    const { ports } = this.deps;
    const { tenantId, locale, timeout } = request;
    const services = {
      ...this.deps.fileEditing.contextOf({ tenantId }),
      skills: this.deps.skillAccess.accessFor(tenantId),
      memories: memoryAccessOf(this.deps.memories, tenantId, { by: 'person' }),
    };
    const jobs = this.deps.jobs?.accessFor(tenantId, locale);
    const toolContext = { tenantId, locale, ...toolPorts(ports), todos: new TodoStore([]), ...services, ...(jobs && { jobs }) };
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

function toDirectResult({ ok, content, details, data, isTimeout }: ToolResult): Omit<DirectCallResult, 'durationMs' | 'timestamp'> {
  if (ok) return { status: 'success', result: { ...data, ...details, content }, error: null, message: content };
  return { status: 'error', result: null, error: content, ...(isTimeout && { errorCode: 'tool_timeout' }), message: content };
}

function noTool(name: string, locale: Locale, problem: string | undefined): AppError {
  const spec = getSchema(name);
  const isKnown = spec !== undefined || problem !== undefined;
  const message = isKnown ? `${name}: ${unavailableText(spec?.toolset ?? '', locale, problem)}` : 'There is no such tool.';
  return new AppError('not_found', { param: '/toolName', message });
}
