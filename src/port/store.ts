/**
 * Durable state. The queries are written once, with Kysely; SQLite is the only database that has an adapter. Every method takes the
 * tenant: a row of another tenant is the same as no row. Rejects with AppError `store_unavailable` when the medium fails (disk full, read-only, locked).
 */
import { AppError } from '../errors';
import type { RunEvent, RunStatus } from './run_event';
import type {
  IdempotencyRecord,
  MessageRecord,
  QuestionKind,
  QuestionRecord,
  QuestionStatus,
  RunRecord,
  RunState,
  SessionRecord,
  SteeringMessage,
  TerminalRecord,
  TodoListRecord,
  ToolExecutionRecord,
  ToolExecutionStatus,
} from './store_records';

/** One page of a list. `cursor` comes from the page before and is opaque; a broken one rejects with `invalid_request`, param `/cursor`. */
export interface PageRequest {
  limit: number;
  cursor?: string;
  /** Bytes of the records as JSON that the page may have; a first record that is larger comes alone. No more than that is read. */
  maxBytes?: number;
}
export interface Page<T> {
  data: T[];
  nextCursor?: string;
}

/** The store cannot be opened at all. The message is one sentence for the operator and may name a path. */
export class StoreOpenError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StoreOpenError';
  }
}

/** The writer lost its run: another process took it over (a newer epoch), or the run is gone. It must stop and write nothing more. */
export class FencedError extends AppError {
  constructor() {
    super('internal', { message: 'The run belongs to another process now.' });
    this.name = 'FencedError';
  }
}

/** Fields that are absent or undefined stay as they are; this holds for every patch. */
export type SessionPatch = Partial<Pick<SessionRecord, 'title' | 'agent' | 'locale' | 'thinkingLevel' | 'metadata' | 'updatedAt'>>;
export type RunPatch = Partial<
  Pick<
    RunRecord,
    'status' | 'epoch' | 'owner' | 'leaseUntil' | 'recoveries' | 'cancelRequested' | 'recoveredAtSeq' | 'outcome' | 'startedAt' | 'endedAt'
  >
>;
/** Approvals that one yes for the session would cover, or those of one exact call in a run. */
export type ApprovalScope = { sessionId: string; grant: string } | { runId: string; fingerprint: string };

export type QuestionClosing = { status: Exclude<QuestionStatus, 'pending'>; answer?: string; closedAt: number };
export type ToolExecutionEnd = Pick<
  ToolExecutionRecord,
  'status' | 'result' | 'error' | 'durationMs' | 'cached' | 'duplicate' | 'details' | 'endedAt'
>;

/** How much to read at once; a number stands for a limit alone. */
export interface EventPage {
  limit: number;
  /** Stored bytes of the page at most. What shares a row is never cut, and the first row always comes, whatever its size. */
  maxBytes: number;
}

export interface StoreReader {
  getSession(tenantId: string, id: string): Promise<SessionRecord | undefined>;
  /** Most recently updated first; of the same time, the higher id first (so in every newest-first list). */
  listSessions(tenantId: string, page: PageRequest): Promise<Page<SessionRecord>>;

  getRun(tenantId: string, id: string): Promise<RunRecord | undefined>;
  getRunState(tenantId: string, id: string): Promise<RunState | undefined>;
  /** The progress of those runs that exist, in any order. */
  runProgress(tenantId: string, ids: readonly string[]): Promise<Pick<RunState, 'id' | 'status' | 'lastSeq'>[]>;
  /** Newest first. */
  listRuns(tenantId: string, filter: { sessionId?: string; status?: RunStatus }, page: PageRequest): Promise<Page<RunRecord>>;
  /** Runs of a session with ordinal > after, in order, at most 1,000. */
  runsAfter(tenantId: string, sessionId: string, ordinal: number): Promise<RunRecord[]>;
  /** The states of the same runs. */
  runStatesAfter(tenantId: string, sessionId: string, ordinal: number): Promise<RunState[]>;
  /** The run of the session that is running or waiting, if any. */
  activeRun(tenantId: string, sessionId: string): Promise<RunRecord | undefined>;
  /** The first queued run of the session, if any. */
  nextQueuedRun(tenantId: string, sessionId: string): Promise<RunRecord | undefined>;
  countQueuedRuns(tenantId: string, sessionId: string): Promise<number>;
  /** All tenants: runs that are running or waiting and whose lease is absent or not after `now`; oldest first, at most 1,000. */
  orphanedRuns(now: number): Promise<RunState[]>;
  /** Messages for the run that its loop has not taken yet, oldest first. */
  pendingSteeringMessages(tenantId: string, runId: string): Promise<SteeringMessage[]>;
  /** Counts these messages and the bytes of their texts. */
  countPendingSteeringMessages(tenantId: string, runId: string): Promise<{ count: number; bytes: number }>;
  /** All tenants: every run that is not terminal, oldest first. Read every few seconds, so without what may be large. */
  unfinishedRuns(): Promise<RunState[]>;

  /** Whole history of a session in order, without what was cancelled before it began. */
  history(tenantId: string, sessionId: string): Promise<MessageRecord[]>;
  /** In order, oldest first. */
  listMessages(tenantId: string, sessionId: string, page: PageRequest): Promise<Page<MessageRecord>>;

  /** Stored events of a run with seq > after, in order, no more than the page allows; none only when there are none. */
  listEvents(tenantId: string, runId: string, after: number, page: number | EventPage): Promise<RunEvent[]>;

  getQuestion(tenantId: string, id: string): Promise<QuestionRecord | undefined>;
  /** Oldest first. */
  listQuestions(
    tenantId: string,
    filter: { kind?: QuestionKind; sessionId?: string; runId?: string; status?: QuestionStatus },
    page: PageRequest,
  ): Promise<Page<QuestionRecord>>;
  /** The answer to the approval that was asked for last among the answered ones of this scope. */
  newestApprovalAnswer(tenantId: string, of: ApprovalScope): Promise<string | undefined>;

  getTodos(tenantId: string, sessionId: string): Promise<TodoListRecord | undefined>;
  getTerminal(tenantId: string, sessionId: string): Promise<TerminalRecord | undefined>;
  getToolExecution(tenantId: string, id: string): Promise<ToolExecutionRecord | undefined>;
  /** Newest first. */
  listToolExecutions(
    tenantId: string,
    filter: { tool?: string; status?: ToolExecutionStatus; sessionId?: string; runId?: string; since?: number },
    page: PageRequest,
  ): Promise<Page<ToolExecutionRecord>>;
  /** All tenants: direct calls that are still running, oldest first, at most 1,000. */
  runningDirectCalls(): Promise<ToolExecutionRecord[]>;
  getIdempotencyKey(tenantId: string, key: string): Promise<IdempotencyRecord | undefined>;
}

export interface StoreTransaction extends StoreReader {
  insertSession(session: SessionRecord): Promise<void>;
  updateSession(tenantId: string, id: string, patch: SessionPatch): Promise<boolean>;
  /** Removes the session and everything that belongs to it. */
  deleteSession(tenantId: string, id: string): Promise<boolean>;

  /** Gives the run the next ordinal of its session and returns it. */
  insertRun(run: Omit<RunRecord, 'ordinal'>): Promise<RunRecord>;
  /** Compare-and-set: changes the run only while its status is one of `from` (and its epoch is `epoch`, when given). Resolves whether it did. */
  updateRun(tenantId: string, id: string, expected: { from: readonly RunStatus[]; epoch?: number }, patch: RunPatch): Promise<boolean>;

  /** Moves the lease of every running or waiting run of the owner, except those it gave back (lease 0), and says which these are. */
  renewLeases(owner: string, leaseUntil: number): Promise<Pick<RunRecord, 'tenantId' | 'id' | 'cancelRequested'>[]>;
  insertSteeringMessage(steer: SteeringMessage): Promise<void>;
  /** Marks steers as taken; those that are already are left alone. Resolves how many this call took. */
  takeSteeringMessages(tenantId: string, ids: readonly string[], takenAt: number): Promise<number>;

  insertMessages(messages: MessageRecord[]): Promise<void>;
  /**
   * Appends numbered events of one run, in seq order, and raises the run's lastSeq. Runs of deltas (isDelta) of the same type and tool call
   * may be kept as one row; listEvents gives every event back exactly. Rejects with FencedError when the run's epoch is not
   * `epoch` or the run is gone, with `internal` when the first seq does not follow the run's lastSeq.
   */
  appendEvents(run: { tenantId: string; id: string; sessionId: string; epoch: number }, events: readonly RunEvent[]): Promise<void>;

  insertQuestion(clarification: QuestionRecord): Promise<void>;
  /** Compare-and-set from pending. Resolves whether this call closed it. */
  closeQuestion(tenantId: string, id: string, patch: QuestionClosing): Promise<boolean>;
  /** Only while pending. */
  extendQuestion(tenantId: string, id: string, expiresAt: number): Promise<boolean>;

  putTodos(list: TodoListRecord): Promise<void>;
  putTerminal(terminal: TerminalRecord): Promise<void>;
  insertToolExecution(execution: ToolExecutionRecord): Promise<void>;
  /** Only while running. */
  finishToolExecution(tenantId: string, id: string, patch: ToolExecutionEnd): Promise<boolean>;
  /** Inserts, or replaces what is there under the key. */
  putIdempotencyKey(record: IdempotencyRecord): Promise<void>;
  /** All tenants: forgets keys older than `before`, oldest first, at most 5,000 a call. Resolves how many. */
  deleteIdempotencyKeys(before: number): Promise<number>;
  /**
   * All tenants: drops the events of runs that ended before `before`, except the newest runs of each session as long as their events are not
   * more than `keepPerSession` in sum (counted by lastSeq); marks the runs eventsExpired. What was kept is counted anew once a newer run of
   * its session ended before `before`. At most 500 runs a call; resolves how many: while it is not 0, more may be left.
   */
  expireEvents(before: number, keepPerSession: number): Promise<number>;
}

export interface Store {
  /** Reads what is committed. */
  readonly read: StoreReader;
  /**
   * Runs `work` atomically and resolves once it is durable. Work of several callers may share one commit; a `work` that rejects undoes only
   * itself, a medium that fails may undo all that share the commit. Inside, await nothing but calls of `tx`, and await each of them.
   */
  transaction<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
  /** Resolves when the store can be written now. For readyz. */
  check(): Promise<void>;
  close(): Promise<void>;
}
