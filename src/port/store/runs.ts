/** Runs of the store, with their leases. Times are milliseconds since 1970. */
import type { ErrorCode } from '../../errors';
import type { CallerCall, CallerContext } from '../caller';
import type { FileReference, ImageReference, Usage } from '../llm';
import type { ModelParameters } from '../model_parameters';
import type { Actor } from '../principal';
import type { ClarificationData, Door, Escalation, IncompleteReason, RunError, RunEvent, RunStatus } from '../run_event';
import type { RunRecording } from '../run_recording';
import type { RunTools } from '../run_tools';
import type { TraceContext } from '../trace_context';
import type { Page, PageRequest } from './page';
import type { Viewer } from './session_access';
import type { Locale } from './sessions';
import type { UsageByModel } from './usage';

/** Abilities of the door that started a run: to wait for the answer to a question (`wait`), or to return the question as text. */
export interface Interaction {
  clarify: 'wait' | 'text';
  /** Milliseconds that a waiting question stays open. */
  clarifyTimeoutMs: number;
  /**
   * wait: the client that started the run can approve a tool call. none: nobody is asked, so calls that need approval are refused. Absent: only
   * a page that follows the session can approve.
   */
  approvals?: 'wait' | 'none';
  /** stored: readers get an event only once it is stored, so that a crash takes no event back. Deltas then arrive some 100 ms later. */
  publishes?: 'stored';
}

export interface RunLimits {
  maxToolIterations?: number;
  timeoutMs?: number;
  /** Limit of input and output tokens of all model calls together. The answer that exceeds it counts; no call follows. */
  maxTokens?: number;
  maxCostUsd?: number;
  maxToolCalls?: number;
  /** Tools that the request leaves to the run, and to the members to which it delegates. */
  tools?: RunTools;
}

/** Final state of a run; absent until it has ended. */
export interface RunOutcome {
  text: string;
  usage: Usage;
  /** Set for incomplete runs; absent for runs that ended before reasons were stored. */
  reason?: IncompleteReason;
  error?: RunError & { code: ErrorCode };
  clarification?: ClarificationData;
  /** The question to its master that ended a child run. */
  escalation?: Escalation;
  /** Tool calls with which the run ended, for its caller to run. */
  callerCalls?: CallerCall[];
}

/** The tool call that started a child run. A call has at most one child for each index. */
export interface RunParent {
  runId: string;
  sessionId: string;
  toolCallId: string;
  /** Position among the tasks of the call, from 0. */
  index: number;
}

/** What similar runs cost and took: the value that half of them, and nine of ten, did not exceed. */
export interface PriceQuestion {
  costUsd: { p50: number; p90: number };
  /** Milliseconds. */
  ms: { p50: number; p90: number };
  /** Number of similar runs. */
  basedOn: number;
  /** The limit above which a person is asked. */
  askAboveUsd: number;
}

export interface RunRecord {
  tenantId: string;
  id: string;
  sessionId: string;
  /** Position among the runs of the session, from 1; runs of one session execute in this order, one at a time. */
  ordinal: number;
  status: RunStatus;
  door: Door;
  agent: string;
  locale: Locale;
  input: string;
  /** Images of the message that started the run. */
  images?: readonly ImageReference[];
  /** PDF files of that message, without their texts. */
  files?: readonly FileReference[];
  interaction: Interaction;
  limits: RunLimits;
  /** The API key for which the run counts; `local` without keys. Child runs and runs of jobs have the key of their origin. Absent for older runs. */
  keyName?: string;
  /** The caller who wrote the message, when it is not `keyName`. */
  writtenBy?: string;
  /** The model that the request, the session or the parent run chose. Absent: the model of the agent. */
  model?: string;
  /** Model parameters from the session and the request. */
  parameters?: ModelParameters;
  metadata?: Record<string, unknown>;
  /** JSON Schema of the answer. Absent: the answer is free text. */
  outputSchema?: Readonly<Record<string, unknown>>;
  /** Tokens and money that the run will likely use. Until it ends they count for the budgets of the day, as far as it has not used them yet. */
  reservedTokens?: number;
  reservedNanoDollars?: number;
  /** Present when a person must agree to the price before the run begins to work. */
  priceQuestion?: PriceQuestion;
  /** The trace of the request that started the run, or of the parent run. Absent: the caller named none. */
  trace?: TraceContext;
  /** The request that has just started the run, for log lines; not stored. */
  requestId?: string;
  /** Present when a program brought tools or messages of its own. */
  caller?: CallerContext;
  /** Highest seq that is stored. */
  lastSeq: number;
  /** Set by a recovery, and by an end after a failed write: cursors above this seq may point at events that were shown and lost. */
  recoveredAtSeq?: number;
  /** Raised by every takeover; the store refuses writers with an older epoch. */
  epoch: number;
  /** Instance id of the process that executes the run. */
  owner?: string;
  /**
   * WITH_NODE_LEASE: the run is leased while the lease of its owner lasts (node_leases.ts). 0: the owner has released the run. Another time, in
   * milliseconds since 1970: the lease of this run alone ends then.
   */
  leaseUntil?: number;
  /**
   * Instance id of the process at which the callers wait; without callers the run is cancelled. Absent: the run needs no caller, or that process has
   * died.
   */
  callerAt?: string;
  /**
   * WITH_NODE_LEASE: the process of `callerAt` counts as alive while its lease lasts. A time, in milliseconds since 1970, after which it counts as dead;
   * when `callerAt` is absent, the run is cancelled then unless a caller joins.
   */
  callerUntil?: number;
  /** Number of takeovers after a crash. */
  recoveries: number;
  cancelRequested: boolean;
  /** Who cancelled the run: the handle of a person, or the name of a key. Absent when the gateway did, and for a gateway without keys. */
  cancelledBy?: string;
  outcome?: RunOutcome;
  createdAt: number;
  startedAt?: number;
  endedAt?: number;
  /** The events of the run are no longer kept. */
  eventsExpired?: boolean;
  /** Set for a child run. */
  parent?: RunParent;
}

/** A run without the fields that may be large, for readers that load many at a time. */
export type RunState = Omit<
  RunRecord,
  | 'input'
  | 'images'
  | 'files'
  | 'interaction'
  | 'limits'
  | 'model'
  | 'parameters'
  | 'metadata'
  | 'caller'
  | 'outcome'
  | 'trace'
  | 'outputSchema'
  | 'priceQuestion'
>;

/** Fields that are absent or undefined stay as they are. */
export type RunPatch = Partial<
  Pick<
    RunRecord,
    | 'status'
    | 'epoch'
    | 'owner'
    | 'leaseUntil'
    | 'callerUntil'
    | 'recoveries'
    | 'cancelRequested'
    | 'cancelledBy'
    | 'recoveredAtSeq'
    | 'outcome'
    | 'startedAt'
    | 'endedAt'
  > & {
    /** Set with the end of the run. */
    recording: RunRecording;
    callerAt: string;
    /** Usage of the run by model, set with its end; it counts for the day of `endedAt`. */
    usageByModel: UsageByModel;
    /** Tokens and money that an active run has used so far, without its child runs; they count for today until the run ends. */
    spentTokens: number;
    spentNanoDollars: number;
  }
>;

export interface RunFilter {
  sessionId?: string;
  /** The status of the runs, or one of several; at least one is named. */
  status?: RunStatus | readonly RunStatus[];
  /** Only the child runs of this run. */
  parentRunId?: string;
  /** Only runs that began, ended or were created at this time or later, in milliseconds since 1970; the latest of these times counts. */
  changedSince?: number;
  /** Only runs whose oldest open question, also one of a child run, is of this kind. */
  asks?: 'clarification' | 'approval';
  /** Leaves out runs of sessions that this caller does not see. */
  viewer?: Viewer;
}

/** A session with a queued run, and the key of that run. */
export interface QueuedSession extends Actor {
  sessionId: string;
}

/** `tenantId`: only runs of this tenant. `after`: the last run of the read before. */
export interface UnfinishedPart {
  tenantId?: string;
  after?: Pick<RunRecord, 'tenantId' | 'sessionId' | 'ordinal'>;
}

/** Most runs of one read. A shorter answer is the last one. */
export const RUNS_PER_READ = 1_000;

export interface RunReader {
  get(tenantId: string, id: string): Promise<RunRecord | undefined>;
  getState(tenantId: string, id: string): Promise<RunState | undefined>;
  /** Reads the progress of the runs that exist, in any order. */
  progress(tenantId: string, ids: readonly string[]): Promise<Pick<RunState, 'id' | 'status' | 'lastSeq'>[]>;
  /**
   * Lists the newest first: of one session by ordinal, otherwise by time; of the same time, the higher id first. Child runs are left out unless
   * the filter names their parent or their session.
   */
  list(tenantId: string, filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>>;
  /** Counts the runs that `list` lists on all its pages. */
  count(tenantId: string, filter: RunFilter): Promise<number>;
  /** Finds the child run that a tool call has started. */
  findChild(tenantId: string, parent: Pick<RunParent, 'runId' | 'toolCallId' | 'index'>): Promise<RunRecord | undefined>;
  /** The child runs of a run, oldest first, at most 1,000. */
  children(tenantId: string, parentRunId: string): Promise<RunState[]>;
  /** Runs of a session with an ordinal above `ordinal`, in order, at most RUNS_PER_READ. */
  after(tenantId: string, sessionId: string, ordinal: number): Promise<RunRecord[]>;
  /** As `runsAfter`, with the states of the runs alone. */
  statesAfter(tenantId: string, sessionId: string, ordinal: number): Promise<RunState[]>;
  /** Finds the run of the session that is running or waiting. */
  active(tenantId: string, sessionId: string): Promise<RunRecord | undefined>;
  /** Finds the first queued run of the session. */
  nextQueued(tenantId: string, sessionId: string): Promise<RunRecord | undefined>;
  countQueued(tenantId: string, sessionId: string): Promise<number>;
  /** Reads the active run and the queued runs of the session, in any order; a session has few of them. */
  unfinishedOf(tenantId: string, sessionId: string): Promise<Pick<RunState, 'id' | 'status'>[]>;
  /** Counts the unfinished runs of a key, or of a whole tenant without one. Child runs do not count: their parents do. */
  countUnfinished(tenantId: string, keyName?: string): Promise<{ active: number; queued: number }>;
  /** All tenants: running or waiting runs whose lease is absent, released or over at `now`; oldest first, at most RUNS_PER_READ. */
  orphaned(now: number): Promise<RunState[]>;
  /**
   * All tenants: unfinished runs that need a caller and have no `callerAt`, or one whose process has no lease, or whose `callerUntil` is over at `now`.
   * `isOver`: `callerUntil` is over. Oldest first, at most RUNS_PER_READ.
   */
  leftByCallers(now: number): Promise<(RunState & { isOver: boolean })[]>;
  /** All tenants: counts the queued runs of each key, of `limit` runs at most. */
  countQueuedOfKeys(limit: number): Promise<(Actor & { count: number })[]>;
  /**
   * All tenants: looks at the next part of the queue, the runs created after `after`, some 1,000, oldest first. Resolves with the sessions of those that
   * have no active run, and with the `after` of the next part; undefined after the last one.
   */
  idleQueued(after: number): Promise<{ sessions: QueuedSession[]; next: number | undefined }>;
  /**
   * The runs that are not terminal, of all tenants or of one, in the order of tenants, sessions and ordinals; at most
   * RUNS_PER_READ.
   */
  unfinished(part?: UnfinishedPart): Promise<RunState[]>;
  /** All tenants: running or waiting runs of the owner that it has not released. */
  ownedBy(owner: string): Promise<Pick<RunState, 'tenantId' | 'id' | 'cancelRequested' | 'cancelledBy'>[]>;
  /** All tenants: those runs of `ownedBy` for which a cancel was requested. */
  cancelledOf(owner: string): Promise<Pick<RunState, 'tenantId' | 'id' | 'cancelledBy'>[]>;
}

export interface RunWriter {
  /**
   * Gives the run the next ordinal of its session, unless the caller has read it, and appends its first events, of which `run.lastSeq` is the last number. Rejects with
   * `internal` when the id is taken, the tool call of its parent has a child with this index, the session does not exist or the events do not fit the run.
   */
  insert(run: Omit<RunRecord, 'ordinal'> & { ordinal?: number }, firstEvents?: readonly RunEvent[]): Promise<RunRecord>;
  /** Compare-and-set: changes the run only while its status is one of `from` (and its epoch is `epoch`, if set). Resolves whether it did. */
  update(tenantId: string, id: string, expected: { from: readonly RunStatus[]; epoch?: number }, patch: RunPatch): Promise<boolean>;
  /**
   * The process of `callerAt` has died: an unfinished run that still names it gets no process, and a `callerUntil` of `graceMs` from now. `now` as in
   * node_leases.ts.
   */
  loseCallers(run: Pick<RunState, 'tenantId' | 'id' | 'callerAt'>, time: { now: number; graceMs: number }): Promise<void>;
}
