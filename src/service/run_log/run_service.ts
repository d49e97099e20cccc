/** Reads runs for the doors: state, result, stored events, and subscriptions to live events. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { EventBus } from '../../port/event_bus';
import type { Usage } from '../../port/llm';
import {
  type ClarificationData,
  type Escalation,
  type IncompleteReason,
  isTerminal,
  type RunEvent,
  type RunStatus,
} from '../../port/run_event';
import type { Page, PageRequest } from '../../port/store/page';
import type { RunFilter, RunOutcome, RunRecord, RunState } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { ToolExecutionRecord } from '../../port/store/tool_executions';
import { readOutput } from '../../runtime/structured_output';
import { EventPageCache } from './event_page_cache';
import type { EventSink } from './event_sink';
import { ReaderLimits } from './reader_limits';
import { ReaderScheduler } from './reader_scheduler';
import type { RemoteRunPoller } from './remote_run_poller';
import { RunSubscription, type SubscriptionRequest } from './run_subscription';
import { type EventCursor, markStored, mayBeLost } from './stored_cursor';
import { StoredReader } from './stored_reader';

export interface ToolCallResult {
  toolCallId: string;
  name: string;
  args: unknown;
  ok: boolean;
  result: string;
  durationMs: number;
  /** True when the result came from the cache. */
  cached?: boolean;
  /** This session, or this response of the model, has made the same call before. */
  duplicate?: boolean;
}

/** The result of a run, as doors send it. While the run is active, it holds what there is so far. */
export interface RunResult {
  runId: string;
  sessionId: string;
  /** The run that delegated this one. */
  parentRunId?: string;
  status: RunStatus;
  reason?: IncompleteReason;
  text: string;
  /** The value of the answer, when the request gave a schema for it. */
  output?: unknown;
  clarification?: ClarificationData;
  escalation?: Escalation;
  toolCalls: ToolCallResult[];
  usage: Usage;
  error?: RunOutcome['error'];
  /** Calls of tools that the caller brought, for the caller to run. */
  callerCalls?: RunOutcome['callerCalls'];
}

const MAX_TOOL_CALLS = 1_000;
/** The most bytes of tool calls in a result; the oldest calls are left out. */
const MAX_RESULT_BYTES = 4 * 1024 * 1024;
const EVENT_PAGE_BYTES = 1024 * 1024;
/** A reader of a run of another gateway that has heard nothing for this time reads the store, for a message of the other gateway that was lost. */
const QUIET_MS = 5_000;

export interface RunServiceDeps {
  store: Store;
  bus: EventBus;
  clock: Clock;
  remoteRuns: RemoteRunPoller;
  /** Stores the events that a run of this process has shown so far. Does nothing for other runs. */
  storeShownEvents(runId: string): Promise<void>;
  /** Other gateways can be on the store. */
  isShared: boolean;
  /** The most subscriptions at one time, in all sessions together. */
  maxReaders: number;
}

export class RunService {
  private readonly subscriptions = new Set<RunSubscription>();
  private readonly storedReaders = new Set<StoredReader>();
  private readonly readerLimits: ReaderLimits;
  private readonly pages: EventPageCache;

  constructor(private readonly deps: RunServiceDeps) {
    this.readerLimits = new ReaderLimits(deps.maxReaders);
    this.pages = new EventPageCache(deps.store, new ReaderScheduler());
  }

  /** Reads a run. Rejects `not_found`, also for a run of another tenant. */
  async getRun(tenantId: string, runId: string): Promise<RunRecord> {
    const run = await this.deps.store.read.runs.get(tenantId, runId);
    if (!run) throw new AppError('not_found', { param: '/runId', message: 'There is no such run.', messageZh: '没有这个运行。' });
    return run;
  }

  /** Like `getRun`, without the fields that can be large. */
  async getRunState(tenantId: string, runId: string): Promise<RunState> {
    const run = await this.deps.store.read.runs.getState(tenantId, runId);
    if (!run) throw new AppError('not_found', { param: '/runId', message: 'There is no such run.', messageZh: '没有这个运行。' });
    return run;
  }

  /** Reads a run of a session. Rejects `not_found` when the run belongs to another session. */
  async getRunOfSession(tenantId: string, sessionId: string, runId: string): Promise<RunState> {
    const run = await this.getRunState(tenantId, runId);
    if (run.sessionId !== sessionId)
      throw new AppError('not_found', { param: '/after/runId', message: 'There is no such run.', messageZh: '没有这个运行。' });
    return run;
  }

  /** Resolves with the running or waiting run of the session. */
  findActiveRun(tenantId: string, sessionId: string): Promise<RunRecord | undefined> {
    return this.deps.store.read.runs.active(tenantId, sessionId);
  }

  /** Lists runs of a tenant. */
  listRuns(tenantId: string, filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>> {
    return this.deps.store.lists.runs.list(tenantId, filter, page);
  }

  /** Counts the runs that `listRuns` lists on all its pages. */
  countRuns(tenantId: string, filter: RunFilter): Promise<number> {
    return this.deps.store.lists.runs.count(tenantId, filter);
  }

  /** Resolves with the result of a run. The oldest tool calls are left out when there are more than 1,000, or more than 4 MiB of them. */
  async getResult(run: RunRecord): Promise<RunResult> {
    const executions = await this.deps.store.read.toolExecutions.list(
      run.tenantId,
      { runId: run.id },
      { limit: MAX_TOOL_CALLS, maxBytes: MAX_RESULT_BYTES },
    );
    const {
      text = '',
      usage = { inputTokens: 0, outputTokens: 0 },
      reason,
      error,
      clarification,
      escalation,
      callerCalls,
    } = run.outcome ?? {};
    return {
      runId: run.id,
      sessionId: run.sessionId,
      parentRunId: run.parent?.runId,
      status: run.status,
      reason,
      text,
      output: outputOf(run),
      clarification,
      escalation,
      toolCalls: executions.data.reverse().map(toToolCall),
      usage,
      error,
      callerCalls,
    };
  }

  /**
   * Lists stored events after the cursor, at most `limit` and about 1 MiB, and the cursor of the next page while the run has more. Rejects
   * `events_expired` when the events have been deleted, or when the cursor may name an event that was lost in a crash.
   */
  async listEvents(run: RunState, after: EventCursor, limit: number): Promise<{ events: RunEvent[]; next?: number }> {
    if (mayBeLost(after, run) || (run.eventsExpired && after.seq < run.lastSeq)) throw new AppError('events_expired');
    const events = await this.deps.store.read.events.list(run.tenantId, run.id, after.seq, { limit, maxBytes: EVENT_PAGE_BYTES });
    const last = events.at(-1);
    if (!last) return { events };
    const mustMark = mayBeLost({ seq: last.seq }, run);
    const isMore = events.length === limit || last.seq < run.lastSeq || (mustMark && !isTerminal(run.status));
    return { events, next: isMore ? (mustMark ? markStored(last.seq) : last.seq) : undefined };
  }

  /** Throws `rate_limited` when the session, or the gateway, is at its limit of readers. */
  assertRoomForReader(sessionId?: string): void {
    this.readerLimits.assertRoom(sessionId);
  }

  /** Counts the readers that follow the session in this process. */
  countReaders(sessionId: string): number {
    return this.readerLimits.countReaders(sessionId);
  }

  /** Subscribes a reader to a session or to one run. The caller calls `start`, and `stop` when the reader leaves. */
  subscribe(request: SubscriptionRequest, sink: EventSink): RunSubscription {
    const subscription = new RunSubscription({ ...this.deps, pages: this.pages }, request, sink);
    if (this.deps.isShared && this.subscriptions.size === 0) this.scheduleLook();
    this.subscriptions.add(subscription);
    const removeReader = this.readerLimits.addReader(request.sessionId);
    const unwatch = this.watchRemoteRun(request, subscription);
    void subscription.ended.then(() => {
      removeReader();
      unwatch();
      this.subscriptions.delete(subscription);
    });
    return subscription;
  }

  /** Opens a reader of what is stored of a run. The caller calls `stop` when the reader leaves. */
  openStoredReader(run: RunState): StoredReader {
    const reader = new StoredReader({ ...this.deps, pages: this.pages }, run);
    const removeReader = this.readerLimits.addReader(run.sessionId);
    this.storedReaders.add(reader);
    reader.stopped.addEventListener('abort', () => {
      removeReader();
      this.storedReaders.delete(reader);
    });
    return reader;
  }

  private scheduleLook(): void {
    this.deps.clock.after(QUIET_MS, () => {
      const { clock, remoteRuns } = this.deps;
      for (const subscription of this.subscriptions) {
        const runId = subscription.quietRunSince(clock.monotonic() - QUIET_MS);
        if (runId !== undefined && !remoteRuns.isExecutedHere(runId)) subscription.readAgain();
      }
      if (this.subscriptions.size > 0) this.scheduleLook();
    });
  }

  /** Adds events that another process stores, above all the end of the run, to a subscription to one run. */
  private watchRemoteRun({ tenantId, after, onlyRun }: SubscriptionRequest, subscription: RunSubscription): () => void {
    if (!onlyRun || !after) return () => {};
    // Start at 0: the seq of the cursor may belong to a lost event and be higher than every stored seq.
    return this.deps.remoteRuns.watch({ tenantId, id: after.runId, lastSeq: 0 }, progress =>
      progress ? subscription.readAgain() : subscription.stop(),
    );
  }

  /** Ends every subscription and every reader of what is stored; called when the process stops. */
  stopSubscriptions(): void {
    for (const subscription of this.subscriptions) subscription.stop();
    for (const reader of this.storedReaders) reader.stop();
  }
}

function toToolCall(execution: ToolExecutionRecord): ToolCallResult {
  return {
    toolCallId: execution.toolCallId ?? execution.id,
    name: execution.tool,
    args: parseArgs(execution.args),
    ok: execution.status === 'success',
    result: execution.result ?? execution.error ?? '',
    durationMs: execution.durationMs ?? 0,
    cached: execution.cached || undefined,
    duplicate: execution.duplicate || undefined,
  };
}

/** Parses arguments; truncated arguments are no JSON any more and are returned as text. */
function parseArgs(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A completed run with a schema has an answer that was checked. A run that ended with a question has none. */
function outputOf({ status, outcome, outputSchema }: RunRecord): unknown {
  if (!outputSchema || status !== 'completed' || !outcome || outcome.clarification) return undefined;
  const read = readOutput(outcome.text, outputSchema);
  return read.ok ? read.value : undefined;
}
