/** Questions to people: clarifications and approvals. Times are milliseconds since 1970. */
import type { ApprovalReview, Escalation, YesVote } from '../approval_review';
import type { ApprovalRisk, SessionScope, TaintSource } from '../run_event';
import type { Page, PageRequest } from './page';
import type { Interaction } from './runs';
import type { Viewer } from './session_access';

export type QuestionStatus = 'pending' | 'answered' | 'expired' | 'cancelled';

/** Kinds of questions. A clarification asks for something that the agent wants to know; an approval asks whether a tool call may run. */
export type QuestionKind = 'clarification' | 'approval';

/** The tool call that an approval is about. */
export interface ApprovalSubject {
  tool: string;
  label: string;
  /** The exact arguments that would run. */
  args: unknown;
  /** Fingerprint of tool and arguments: an answer counts for these alone. */
  fingerprint: string;
  /** Directory in which a command would run. */
  directory?: string;
  /** The scope that an approval for the session covers. */
  sessionScope: SessionScope;
  /** Names the scope. Two calls with the same grant are covered by one approval for the session. */
  grant: string;
  /** Absent in approvals that older gateways asked for. */
  risk?: ApprovalRisk;
  /** Earlier calls whose results this call could send out of the system. */
  taint?: readonly TaintSource[];
  /** Unified diff, clipped, of the change that the call would make to a file. */
  diff?: string | undefined;
  /** Present when the rule asks for colleagues, or sets a deadline. */
  review?: ApprovalReview | undefined;
}

export interface QuestionRecord {
  tenantId: string;
  /** Id of the question: a UUID, `requestId` on the wire. */
  id: string;
  kind: QuestionKind;
  sessionId: string;
  runId: string;
  toolCallId?: string;
  mode: Interaction['clarify'];
  /** Text of the question; for an approval, the reason why it is needed. */
  question: string;
  choices?: string[];
  /** Set for approvals only. */
  approval?: ApprovalSubject;
  status: QuestionStatus;
  /** The person's answer; for an approval, a decision as JSON. */
  answer?: string;
  createdAt: number;
  expiresAt: number;
  closedAt?: number;
  /** Session of the parent, set for a question of a child run: the chat of the parent shows the question too. */
  parentSessionId?: string;
  /** The API key whose answer or decision closed it. */
  decidedBy?: string;
  /** The people who have said yes so far, when several are asked. */
  approvals?: readonly YesVote[];
  /** Whom the question asks beside those who take part in its session; see approval_address.ts. They see the question, and not the session. */
  askedTo?: string;
  /** When and to whom the question is passed on. */
  escalate?: Escalation;
  /** When the question was passed on, and to whom. */
  escalatedAt?: number;
  passedTo?: string;
  /** The caller whose message made the agent ask; absent without keys. */
  askedBy?: string;
}

export interface QuestionFilter {
  kind?: QuestionKind;
  sessionId?: string;
  /** Only questions of child runs that this session started. */
  parentSessionId?: string;
  runId?: string;
  status?: QuestionStatus;
  /** Leaves out questions of sessions that this caller does not see, unless they ask one of the names. */
  viewer?: Viewer;
  names?: readonly string[];
  /** true: only questions of sessions that the viewer does not see; false: only those of the others. Without a viewer all sessions are seen. */
  chatHidden?: boolean | undefined;
}

/** Approvals that share a grant in a session, or those of one exact call in a run. */
export type ApprovalScope = { sessionId: string; grant: string } | { runId: string; fingerprint: string };

/** The answer of a person. `decidedBy`: the name of the API key that it came with; absent without keys. */
export interface GivenAnswer {
  answer: string;
  decidedBy?: string | undefined;
  /** Everybody who said yes, when several were asked. */
  approvals?: readonly YesVote[] | undefined;
}

export type QuestionClosing = { status: Exclude<QuestionStatus, 'pending'>; closedAt: number } & Partial<GivenAnswer>;

export interface QuestionReader {
  get(tenantId: string, id: string): Promise<QuestionRecord | undefined>;
  /** Lists the oldest first; of the same time, the lower id first. */
  list(tenantId: string, filter: QuestionFilter, page: PageRequest): Promise<Page<QuestionRecord>>;
  /** Reads the ids of at most 100 pending clarifications of the session that were asked as text and expire after `now`, oldest first. */
  openText(tenantId: string, sessionId: string, now: number): Promise<string[]>;
  /** Reads the answer of the newest answered approval (by createdAt) in the scope. */
  newestAnswer(tenantId: string, scope: ApprovalScope): Promise<string | undefined>;
  /** All tenants: closed questions of the owner's runs that wait for a person, in any order. */
  closedOf(owner: string): Promise<QuestionRecord[]>;
}

export interface QuestionWriter {
  /** Rejects with `internal` when the id is taken or the session does not exist. */
  insert(question: QuestionRecord): Promise<void>;
  /** Compare-and-set from pending. Resolves whether this call closed it. Approvals that the closing does not name stay. */
  close(tenantId: string, id: string, closing: QuestionClosing): Promise<boolean>;
  /** Compare-and-set of the approvals of a pending question. Resolves false when they are not `before` any more, or it is closed. */
  setApprovals(tenantId: string, id: string, before: readonly YesVote[], after: readonly YesVote[]): Promise<boolean>;
  /** Compare-and-set of a pending question that was not passed on. Resolves whether this call did it. */
  passOn(tenantId: string, id: string, passed: { escalatedAt: number; passedTo: string }): Promise<boolean>;
  /** Moves the expiry of a pending question. Resolves false when it is not pending. */
  extend(tenantId: string, id: string, expiresAt: number): Promise<boolean>;
}
