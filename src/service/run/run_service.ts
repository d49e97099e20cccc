/** Reading runs: their state, their result, their events. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { EventBus } from '../../port/event_bus';
import type { Usage } from '../../port/llm';
import type { ClarificationData, IncompleteReason, RunEvent, RunStatus } from '../../port/run_event';
import type { Page, PageRequest } from '../../port/store/page';
import type { RunOutcome, RunRecord, RunState } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { ToolExecutionRecord } from '../../port/store/tool_executions';
import { EventPages } from './event_pages';
import { ReaderLimits } from './reader_limits';
import { ReaderTurns } from './reader_turns';
import type { RemoteRuns } from './remote_runs';
import { type EventSink, RunSubscription, type SubscriptionRequest } from './run_subscription';

/** What a caller gets for a finished run (and, while it goes on, for as far as it is). */
export interface RunResult {
  runId: string;
  sessionId: string;
  status: RunStatus;
  reason?: IncompleteReason;
  text: string;
  clarification?: ClarificationData;
  toolCalls: { toolCallId: string; name: string; args: unknown; ok: boolean; result: string; durationMs: number }[];
  usage: Usage;
  error?: RunOutcome['error'];
}

const MAX_TOOL_CALLS = 1_000;
/** Bytes of tool calls in a result; the oldest are left out first. */
const MAX_RESULT_BYTES = 4 * 1024 * 1024;
const EVENT_PAGE_BYTES = 1024 * 1024;

export class RunService {
  private readonly followers = new Set<RunSubscription>();

  private readonly places: ReaderLimits;
  private readonly pages: EventPages;

  /** `maxReaders`: how many may follow runs at once. */
  constructor(
    private readonly ports: { store: Store; bus: EventBus; clock: Clock },
    maxReaders: number,
    private readonly elsewhere: RemoteRuns,
  ) {
    this.places = new ReaderLimits(maxReaders);
    this.pages = new EventPages(ports.store, new ReaderTurns());
  }

  /** Rejects `not_found`, also for another tenant's run. */
  async get(tenantId: string, runId: string): Promise<RunRecord> {
    const run = await this.ports.store.read.getRun(tenantId, runId);
    if (!run) throw new AppError('not_found', { param: '/runId', message: 'There is no such run.' });
    return run;
  }

  /** Like `get`, without the fields that may be large. */
  async getState(tenantId: string, runId: string): Promise<RunState> {
    const run = await this.ports.store.read.getRunState(tenantId, runId);
    if (!run) throw new AppError('not_found', { param: '/runId', message: 'There is no such run.' });
    return run;
  }

  /** Rejects `not_found` when the run is not one of the session. */
  async getOfSession(tenantId: string, sessionId: string, runId: string): Promise<RunState> {
    const run = await this.getState(tenantId, runId);
    if (run.sessionId !== sessionId) throw new AppError('not_found', { param: '/after/runId', message: 'There is no such run.' });
    return run;
  }

  /** The run of the session that is under way, if any. */
  active(tenantId: string, sessionId: string): Promise<RunRecord | undefined> {
    return this.ports.store.read.activeRun(tenantId, sessionId);
  }

  list(tenantId: string, filter: { sessionId?: string; status?: RunStatus }, page: PageRequest): Promise<Page<RunRecord>> {
    return this.ports.store.read.listRuns(tenantId, filter, page);
  }

  async result(run: RunRecord): Promise<RunResult> {
    const executions = await this.ports.store.read.listToolExecutions(
      run.tenantId,
      { runId: run.id },
      { limit: MAX_TOOL_CALLS, maxBytes: MAX_RESULT_BYTES },
    );
    const { text = '', usage = { inputTokens: 0, outputTokens: 0 }, reason, error, clarification } = run.outcome ?? {};
    return {
      runId: run.id,
      sessionId: run.sessionId,
      status: run.status,
      ...(reason && { reason }),
      text,
      ...(clarification && { clarification }),
      toolCalls: executions.data.reverse().map(toToolCall),
      usage,
      ...(error && { error }),
    };
  }

  /**
   * Stored events after `after`, at most `limit` and about a mebibyte. Rejects `events_expired` when they are no longer kept, or when the cursor points at events
   * that were lost in a crash.
   */
  async events(run: RunState, after: number, limit: number): Promise<RunEvent[]> {
    const isLost = run.recoveredAtSeq !== undefined && after > run.lastSeq;
    if (isLost || (run.eventsExpired && after < run.lastSeq)) throw new AppError('events_expired');
    return this.ports.store.read.listEvents(run.tenantId, run.id, after, { limit, maxBytes: EVENT_PAGE_BYTES });
  }

  /** Throws `rate_limited` when one more reader would be too many, for this session or in all. */
  assertRoomForReader(sessionId?: string): void {
    this.places.assertRoom(sessionId);
  }

  /** Follows a session or one run; `start` it, and `stop` it when the reader goes. */
  follow(request: SubscriptionRequest, sink: EventSink): RunSubscription {
    const follower = new RunSubscription({ ...this.ports, pages: this.pages }, request, sink);
    this.followers.add(follower);
    const leave = this.places.take(request.sessionId);
    const unwatch = this.watchElsewhere(request, follower);
    void follower.ended.then(() => {
      leave();
      unwatch();
      this.followers.delete(follower);
    });
    return follower;
  }

  /** A reader of one run gets what another process stores, a moment later, and above all its end. */
  private watchElsewhere({ tenantId, after, onlyRun }: SubscriptionRequest, follower: RunSubscription): () => void {
    if (!onlyRun || !after) return () => {};
    return this.elsewhere.watch({ tenantId, id: after.runId, lastSeq: after.seq }, () => follower.lookAgain());
  }

  /** Ends every following: the process stops. */
  stopFollowing(): void {
    for (const follower of this.followers) follower.stop();
  }
}

function toToolCall(execution: ToolExecutionRecord): RunResult['toolCalls'][number] {
  return {
    toolCallId: execution.toolCallId ?? execution.id,
    name: execution.tool,
    args: parseArgs(execution.args),
    ok: execution.status === 'success',
    result: execution.result ?? execution.error ?? '',
    durationMs: execution.durationMs ?? 0,
  };
}

/** Clipped arguments are no longer JSON and are given as the text they are. */
function parseArgs(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
