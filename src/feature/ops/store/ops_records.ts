/** The data of operators: runs of one tenant or of all, open questions, and the gateways on one store. */
import type { Usage } from '../../../port/llm';
import type { Door, IncompleteReason, RunStatus, TerminalStatus } from '../../../port/run_event';
import type { Page, PageRequest } from '../../../port/store/page';
import type { QuestionKind } from '../../../port/store/questions';
import type { RunOutcome } from '../../../port/store/runs';

/** Selects what an operator sees by tenant. Absent: all tenants. */
export interface OpsScope {
  tenantId?: string;
}

export interface OpsRunFilter {
  status?: TerminalStatus;
  agent?: string;
  door?: Door;
  keyName?: string;
  reason?: IncompleteReason;
  /** Created at this time or later. */
  since?: number;
  /** Created before this time. */
  until?: number;
  /** The id of a run or of a session. */
  id?: string;
}

/** A run in the lists of operators. */
export interface OpsRunRow {
  tenantId: string;
  id: string;
  sessionId: string;
  parentRunId?: string;
  status: RunStatus;
  reason?: string;
  errorCode?: string;
  /** The sentence of the error; no text of a person. */
  errorMessage?: string;
  /** The beginning of the message. Texts of people: only for callers who read them. */
  firstWords?: string;
  door: Door;
  agent: string;
  keyName?: string;
  model?: string;
  usage?: Usage;
  createdAt: number;
  startedAt?: number;
  endedAt?: number;
}

export interface OpsSessionFilter {
  /** Selects sessions that this door made for single requests; absent: sessions of the chat list. */
  originDoor?: 'openai';
  /** Changed at this time or later. */
  since?: number;
}

/** A session in the lists of operators. Times are milliseconds since 1970. */
export interface OpsSessionRow {
  tenantId: string;
  id: string;
  title: string;
  agent: string;
  createdAt: number;
  updatedAt: number;
}

/** Size of a session in messages, runs and bytes. */
export interface OpsSessionSize {
  messages: number;
  /** Bytes of its messages as stored. */
  messageBytes: number;
  runs: number;
  events: number;
  /** The session holds more messages or runs than were counted. */
  isMore: boolean;
  lastRun?: { id: string; status: RunStatus; door: Door; outcome?: RunOutcome; createdAt: number; endedAt?: number };
}

/** Kinds of things whose tenant can be found by their id. */
export type OpsThing = 'run' | 'session' | 'question';

/** An open question without its text. Times are milliseconds since 1970. */
export interface OpsQuestionRow {
  tenantId: string;
  id: string;
  kind: QuestionKind;
  mode: 'wait' | 'text';
  sessionId: string;
  runId: string;
  tool?: string;
  createdAt: number;
  expiresAt: number;
}

/** The time in which a question waited for a person: until it was closed, else until it expires. Milliseconds since 1970. */
export interface OpsQuestionPeriod {
  createdAt: number;
  endsAt: number;
}

export interface OpsQuestionCount {
  kind: QuestionKind;
  count: number;
  oldestAt: number;
}

/** The newest figures of one gateway. */
export interface OpsNode {
  id: string;
  seenAt: number;
  /** Until this time an operator looks at figures on this gateway, so the other gateways write theirs. */
  wantedUntil: number;
  figures: Record<string, unknown>;
}

export interface OpsSessionReader {
  /** Lists sessions without those of child runs, most recently changed first. */
  list(scope: OpsScope, filter: OpsSessionFilter, page: PageRequest): Promise<Page<OpsSessionRow>>;
  /** Counts at most 5,000 messages and 2,000 runs of a session, the newest first. */
  size(tenantId: string, sessionId: string): Promise<OpsSessionSize>;
  /** All tenants: finds the tenant of a thing. An id is unique for one tenant; the first tenant by name wins. */
  tenantOf(kind: OpsThing, id: string): Promise<string | undefined>;
}

export interface OpsRunReader {
  /**
   * Lists ended or unfinished runs, newest first, child runs too. Reads a limited number of rows, so a page may have fewer than `limit` runs and
   * still a cursor when few runs pass the filter.
   */
  list(scope: OpsScope, filter: OpsRunFilter, page: PageRequest): Promise<Page<OpsRunRow>>;
  /** The beginnings of the messages that started the runs, by the id of the run. */
  firstWords(runs: readonly { tenantId: string; id: string }[]): Promise<Map<string, string>>;
}

export interface OpsReader {
  /** Counts questions that are open at `now`, by kind. */
  countOpenQuestions(scope: OpsScope, now: number): Promise<OpsQuestionCount[]>;
  /** Lists questions that are open at `now`, the oldest first. */
  listOpenQuestions(scope: OpsScope, now: number, limit: number): Promise<OpsQuestionRow[]>;
  /** Lists the newest questions that waited between the two times. A question that was asked over a day before is left out. */
  listQuestionPeriods(scope: OpsScope, span: { from: number; to: number }, limit: number): Promise<OpsQuestionPeriod[]>;
  /** The gateways that were seen at `since` or later. */
  listNodes(since: number): Promise<OpsNode[]>;
  /** Returns the latest time until which a gateway other than `id` wants figures; 0 when there is none. */
  figuresWantedUntil(id: string): Promise<number>;
}

export interface OpsWriter {
  /** Replaces the figures of one gateway and deletes the gateways that were last seen before `forgetBefore`. */
  putNode(node: OpsNode, forgetBefore: number): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly ops: OpsReader;
    readonly opsRuns: OpsRunReader;
    readonly opsSessions: OpsSessionReader;
  }
  interface StoreWriters {
    ops: OpsWriter;
  }
}
