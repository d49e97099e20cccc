/** Rows of the store as the services see them. Times are milliseconds since 1970; every row belongs to a tenant. */
import type { ErrorCode } from '../errors';
import type { ChatMessage, ThinkingLevel, Usage } from './llm';
import type { ClarificationData, Door, IncompleteReason, RunError, RunStatus, SessionScope, TaintSource, TodoItem } from './run_event';
import type { TerminalState } from './shell';

export type Locale = 'en' | 'zh-CN';

export interface SessionRecord {
  tenantId: string;
  id: string;
  title: string;
  agent: string;
  locale: Locale;
  thinkingLevel: ThinkingLevel;
  metadata?: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
}

/** What the door that started a run can do with a question: wait for the person, or hand the text back. */
export interface Interaction {
  clarify: 'wait' | 'text';
  /** How long a waiting question stays open. */
  clarifyTimeoutMs: number;
  /** Whoever started the run can say yes or no to a tool call; absent: only a page that follows the session meanwhile can. */
  approvals?: 'wait';
}

export interface RunLimits {
  maxToolIterations?: number;
  timeoutMs?: number;
}

/** What is known only once a run is over. */
export interface RunOutcome {
  text: string;
  usage: Usage;
  /** Set for incomplete runs; absent for runs that ended before reasons were stored. */
  reason?: IncompleteReason;
  error?: RunError & { code: ErrorCode };
  clarification?: ClarificationData;
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
  interaction: Interaction;
  limits: RunLimits;
  metadata?: Record<string, unknown>;
  /** Highest seq that is stored. */
  lastSeq: number;
  /** Set by a recovery: cursors above it point at events that were lost with the process. */
  recoveredAtSeq?: number;
  /** Raised by every takeover; a writer with an older epoch is refused. */
  epoch: number;
  /** Process that runs it. */
  owner?: string;
  /** 0: given back by its process. */
  leaseUntil?: number;
  /** How often it was taken over after a crash. */
  recoveries: number;
  cancelRequested: boolean;
  outcome?: RunOutcome;
  createdAt: number;
  startedAt?: number;
  endedAt?: number;
  /** Its events are no longer kept. */
  eventsExpired?: boolean;
}

/** A run without the parts that may be large: what readers of its events need, many at a time. */
export type RunState = Omit<RunRecord, 'input' | 'interaction' | 'limits' | 'metadata' | 'outcome'>;

/** A message that a person sent into a running turn; it waits here until the loop takes it. */
export interface SteeringMessage {
  tenantId: string;
  id: string;
  sessionId: string;
  runId: string;
  text: string;
  createdAt: number;
  takenAt?: number;
}

export interface MessageRecord {
  tenantId: string;
  id: string;
  sessionId: string;
  runId: string;
  runOrdinal: number;
  /** Position inside the run, from 0 (the user's message). History is ordered by (runOrdinal, position). */
  position: number;
  /** The very object that goes to the model. */
  message: ChatMessage;
  createdAt: number;
}

export type QuestionStatus = 'pending' | 'answered' | 'expired' | 'cancelled';

/** What a question is about: something the agent wants to know, or whether a tool call may run. */
export type QuestionKind = 'clarification' | 'approval';

/** The tool call that a yes is asked for. */
export interface ApprovalSubject {
  tool: string;
  label: string;
  /** Exactly what would run. */
  args: unknown;
  /** Fingerprint of tool and arguments: an answer counts for these alone. */
  fingerprint: string;
  /** What a yes for the session covers. */
  sessionScope: SessionScope;
  /** Names that cover; equal for two calls when one yes for the session is enough for both. */
  grant: string;
  /** Earlier calls whose results this call could carry out. */
  taint?: readonly TaintSource[];
}

/** A question to a person. */
export interface QuestionRecord {
  tenantId: string;
  /** The requestId: a UUID. */
  id: string;
  kind: QuestionKind;
  sessionId: string;
  runId: string;
  toolCallId?: string;
  mode: Interaction['clarify'];
  /** Of an approval: why it is asked for. */
  question: string;
  choices?: string[];
  /** Of an approval alone. */
  approval?: ApprovalSubject;
  status: QuestionStatus;
  /** What the person said; of an approval a decision as JSON. */
  answer?: string;
  createdAt: number;
  expiresAt: number;
  closedAt?: number;
}

export type ToolExecutionStatus = 'running' | 'success' | 'error' | 'cancelled' | 'unknown';

export interface ToolExecutionRecord {
  tenantId: string;
  id: string;
  /** Absent for a direct call. */
  sessionId?: string;
  runId?: string;
  toolCallId?: string;
  tool: string;
  /** Arguments as JSON text, clipped. */
  args: string;
  /** Process that executes a direct call; a call of a run belongs to the run's. */
  owner?: string;
  status: ToolExecutionStatus;
  /** Result text, clipped. */
  result?: string;
  error?: string;
  durationMs?: number;
  cached?: boolean;
  duplicate?: boolean;
  details?: Record<string, unknown>;
  createdAt: number;
  endedAt?: number;
}

export interface TodoListRecord {
  tenantId: string;
  sessionId: string;
  /** In order of priority. */
  todos: TodoItem[];
  updatedAt: number;
}

export interface TerminalRecord {
  tenantId: string;
  sessionId: string;
  state: TerminalState;
  updatedAt: number;
}

/** A key by which a client names a request, so that sending it twice does it once. */
export interface IdempotencyRecord {
  tenantId: string;
  key: string;
  /** Hash of the request's body. */
  fingerprint: string;
  runId: string;
  createdAt: number;
}
