/** The parts of REST responses that the pages read. */
import type { Scope } from '../../../src/port/principal';
import type { ClarificationData, IncompleteReason, RunError, RunEventData, RunStatus } from '../../../src/port/run_event';

export const THINKING_LEVELS = ['off', 'minimal', 'low', 'medium', 'high'] as const;
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

export interface GatewayInfo {
  name: string;
  version: string;
  model: { provider: string; model: string; demo: boolean };
  locale: string;
  timeZone?: string;
  sandbox?: { kind: string; network: boolean };
  /** Links to chats may need no login. */
  publicShares?: boolean;
  /** The model that turns recordings into text. */
  transcription?: { provider: string; model: string };
}

/** A part of the whole result of a tool call. Places and lengths count UTF-16 code units. */
export interface ResultPage {
  text: string;
  offset: number;
  nextOffset?: number;
  length: number;
  /** False when only the truncated text is stored. */
  complete: boolean;
  /** Where the words were found: the number of places, and the first of them. */
  matches?: { count: number; offsets: readonly number[] };
}

export interface ResultQuery {
  offset: number;
  limit: number;
  /** Words to find in the whole text. */
  q?: string;
}

/** The caller, as the gateway knows it. */
export interface Me {
  keyName: string;
  /** Absent for the login of a person. */
  keyId?: string;
  tenant: string;
  scopes: readonly Scope[];
  /** Sees and changes what concerns the whole gateway. */
  operator: boolean;
  /** False while the gateway has neither keys nor accounts. */
  loginRequired: boolean;
  /** Set for a key of the person, too. `needs`: what the person must add before anything else. */
  person?: { id: string; name: string; role: string; hasPassword?: boolean; needs?: 'authenticator' };
  /** The session of a guest. */
  guestOf?: string;
}

/** Who sees a chat or a thing of a person. */
export type Visibility = 'private' | 'shared' | 'tenant';

/** A thing of a person that is no chat, such as a memory. The fields are absent when it belongs to the tenant. */
export interface OwnedThing {
  /** Handle of the person. */
  owner?: string;
  visibility?: Visibility;
  /** Handles, roles, and groups as `group:<name>`. */
  sharedWith?: readonly string[];
}

/** What people do in a chat: a driver writes, an approver answers and decides, a watcher reads. */
export type ParticipantRole = 'driver' | 'approver' | 'watcher';

/** tenant: sees the chat because its tenant does. everybody: the same for a chat without an owner. */
export type ChatPart = 'owner' | ParticipantRole | 'tenant' | 'everybody';

/** A person who has the chat open. `tabs`: in how many pages. */
export interface PresentPerson {
  handle: string;
  name: string;
  part: ChatPart;
  typing: boolean;
  tabs: number;
}

/** `person`: a handle such as @anna, or a role, whose people all take part. */
export interface Participant {
  person: string;
  role: ParticipantRole;
}

/** Times are ISO-8601 UTC. */
export interface SessionSummary {
  id: string;
  /** Handle of the person whose chat it is; absent: it belongs to the tenant. */
  owner?: string;
  /** Present with the owner. */
  visibility?: Visibility;
  title: string;
  createdAt: string;
  updatedAt: string;
  agent?: string;
  thinkingLevel?: ThinkingLevel;
  /** Id of the chosen model; absent: the model of the agent. */
  model?: string;
  /** The session of the run that delegated a task to this one. */
  parentSessionId?: string;
  /** The job that made the session. */
  origin?: { jobId?: string };
  /** The first session of a chat that has branches. */
  rootSessionId?: string;
  pinned?: boolean;
  archived?: boolean;
  project?: string;
  /** In no list, and deleted soon. */
  temporary?: boolean;
  /** The agent gets this text with every message. */
  instructions?: string;
}

/** A run that works or waits. */
export interface WorkingRun {
  sessionId: string;
  /** The door through which the run came in; a chat page sends by `socketio`. */
  door: string;
  /** The person for whom it counts. */
  keyName?: string;
  /** The session of the run that delegated it. */
  parentSessionId?: string;
}

/** Fields of a session that a person changes in the list. */
export interface SessionChange {
  title?: string;
  pinned?: boolean;
  archived?: boolean;
  /** null: in no project. */
  project?: string | null;
  /** null: none. */
  instructions?: string | null;
}

/** Choices of a person before the first message. */
export interface NewSession {
  agent?: string;
  thinkingLevel?: ThinkingLevel;
  model?: string;
  instructions?: string;
  temporary?: boolean;
}

/** Chats that belong together. */
export interface Project {
  name: string;
  sessions: number;
}

/** Which sessions a list has; without a filter, those that are not archived. */
export interface SessionQuery {
  cursor?: string;
  archived?: true;
  project?: string;
}

/** A run that stands in one place of a chat, in one of its branches. */
export interface RunOfPlace {
  runId: string;
  sessionId: string;
}

/** A place of a chat at which its branches differ, with the runs that stand there, oldest first. */
export interface BranchPlace {
  runs: readonly RunOfPlace[];
}

/** A message that a search has found. `snippet` is plain text. */
export interface MessageHit {
  sessionId: string;
  /** Set for the session of a crew member: there the role `user` is the agent that gave the task. */
  parentSessionId?: string;
  title: string;
  runId: string;
  role: 'user' | 'assistant';
  snippet: string;
  at: string;
  score: number;
}

export interface AgentSummary {
  name: string;
  label: string;
  description: string;
  /** The model that its runs use when nothing else is chosen. */
  model?: string;
  /** First messages that the page offers in an empty chat. */
  suggestions?: readonly string[];
}

/** A model that a chat can choose. */
export interface ModelSummary {
  id: string;
  label?: string;
  default: boolean;
  /** Tokens, with the answer. */
  contextWindow?: number;
  /** True when the model can see images. */
  images: boolean;
  /** Absent when it is unknown. */
  price?: { input: number; output: number };
  /** `cooling`: other models stand in for the model until `retryAt`. `failing`: its last call or check failed. */
  state: 'ok' | 'cooling' | 'failing';
  /** Why the state is not ok. */
  reason?: string;
  /** ISO-8601 UTC. */
  retryAt?: string;
}

export interface HistoryMessage {
  id: string;
  runId: string;
  role: 'user' | 'assistant' | 'tool' | 'system';
  content: string;
  /** Handle of the person who wrote it, or the name of a key. */
  by?: string;
  /** True when the gateway wrote the message. */
  byGateway?: boolean;
  /** True for the summary of an earlier conversation that a program gave back. */
  summary?: boolean;
  toolCalls?: { toolCallId: string; name: string; arguments: string }[];
  toolCallId?: string;
  /** Addresses of the images of a person's message, or of a result. */
  imageUrls?: readonly string[];
  /** Files of a person's message, with the addresses of their bytes. */
  sentFiles?: readonly { name?: string | undefined; address: string }[];
  createdAt: string;
}

export interface RunSummary {
  runId: string;
  /** The person or the key whose message began it. */
  keyName?: string;
  /** Who cancelled it. */
  cancelledBy?: string;
  status: RunStatus;
  input?: string;
  usage?: RunEventData<'usage'>;
  error?: RunError;
  reason?: IncompleteReason;
  clarification?: ClarificationData;
  /** ISO-8601 UTC. */
  createdAt?: string;
  startedAt?: string;
  endedAt?: string;
}

/** The run of a crew member. Times are ISO-8601 UTC. */
export interface ChildRunSummary extends RunSummary {
  sessionId: string;
  agent: string;
  text: string;
  createdAt: string;
  startedAt?: string;
  endedAt?: string;
}

/** A rating of an answer, with a sentence or without. */
export interface RunFeedback {
  rating: 'up' | 'down';
  text?: string;
}

export interface ToolExecutionSummary {
  id: string;
  toolCallId?: string;
  /** For a call that changed a file: whether the change can still be undone. */
  undo?: 'possible' | 'undone' | 'gone';
  /** Says of a change that was undone whether it can be redone. */
  redo?: 'possible' | 'gone';
}

/** The change of one file by a call. Times are ISO-8601 UTC. */
export interface FileChange extends ToolExecutionSummary {
  runId?: string;
  tool: string;
  agent?: string;
  path: string;
  /** Unified diff, clipped; empty when none is stored. */
  diff: string;
  /** Lines of the whole change; absent when that is not known. */
  added?: number;
  removed?: number;
  /** `copied`: of a turn that the chat has from another one. `crew`: by a crew member. */
  origin?: 'copied' | 'crew';
  at: string;
}

export interface Page<T> {
  data: T[];
  nextCursor?: string;
}
