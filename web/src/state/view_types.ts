/** The view of a session: immutable values. An update replaces only the objects that have changed. */

import type {
  ApprovalAnswer,
  ApprovalData,
  ClarificationData,
  IncompleteReason,
  RunError,
  RunEvent,
  RunEventData,
  RunStatus,
  TerminalStatus,
  TodoItem,
} from '../../../src/port/run_event';

export type { ApprovalAnswer, ApprovalData, ClarificationData, IncompleteReason, RunError, RunEvent, TerminalStatus, TodoItem };
export type Usage = RunEventData<'usage'>;
type CompactedData = RunEventData<'context_compacted'>;

/** A piece of the answer's text. `done` is true when it is complete. */
export interface TextItem {
  kind: 'text';
  id: string;
  text: string;
  done: boolean;
}

export interface ReasoningItem {
  kind: 'reasoning';
  id: string;
  text: string;
  done: boolean;
  /** ISO-8601 UTC: the first piece, and the event after the last one. */
  startedAt?: string;
  endedAt?: string;
}

/** A file that the person sent with a message. */
export interface SentFile {
  /** Absent: the program that sent it gave no name. */
  name?: string | undefined;
  /** Address of its bytes. */
  address: string;
}

/** A message that the person sent into the active run. */
export interface SaidItem {
  kind: 'said';
  id: string;
  text: string;
  /** Handle of the person who wrote it, or the name of a key; absent when it is not known. */
  by?: string | undefined;
}

/**
 * `ended`: known only from the stored messages, which do not say whether it succeeded. `stopped`: by a person, or with its run.
 * `denied`: not approved, so it did not run. `unknown`: the gateway crashed during the call, so it may have run.
 */
export type ToolState = 'running' | 'ok' | 'failed' | 'stopped' | 'denied' | 'unknown' | 'ended';

/** `redoable`: the change was undone and can be redone. `gone`: the content from before it is no longer stored. */
export type ChangeState = 'possible' | 'undone' | 'redoable' | 'gone';

export interface ToolItem {
  kind: 'tool';
  id: string;
  toolCallId: string;
  name: string;
  label: string;
  args: unknown;
  state: ToolState;
  /** Output of the running call, at most the last MAX_LIVE_OUTPUT characters. */
  output: string;
  result?: string;
  /** Addresses of the images of the result. */
  images?: readonly string[];
  /** ISO-8601 UTC; absent until the events of the run are loaded. */
  startedAt?: string;
  /** Milliseconds. */
  durationMs?: number;
  cached?: boolean;
  duplicate?: boolean;
  details?: Record<string, unknown>;
  /** Says whether the change of the call can be undone or redone; absent until the gateway was asked. */
  undo?: ChangeState;
}

/** Older messages that a summary replaces for the model. The page keeps showing them; a summary that a program gave back is all that the gateway has. */
export interface CompactedItem extends Partial<Omit<CompactedData, 'summary'>> {
  kind: 'compacted';
  id: string;
  summary: string;
}

/** Two sessions wrote one file at two gateways, and the earlier text is kept as another file; without that, the text of the file is lost. */
export interface FileNoticeItem {
  kind: 'file_notice';
  id: string;
  path: string;
  keptAs?: string;
}

/** Models that failed, one after the other, and the model that was asked next. */
export interface FallbackItem {
  kind: 'fallback';
  id: string;
  /** Ids of models, with a sentence for people. */
  failed: readonly { model: string; reason: string }[];
  /** Id of a model. */
  to: string;
}

export type ClarifyStatus = 'pending' | 'answered' | 'expired' | 'cancelled';

/** A question or an approval. */
interface AskedItem {
  id: string;
  requestId: string;
  /** ISO-8601 UTC. */
  expiresAt: string;
  status: ClarifyStatus;
  /** True when the question was answered on this page. */
  mine?: boolean;
}

export interface ClarifyItem extends AskedItem {
  kind: 'clarify';
  question: string;
  choices?: string[];
  /** Whom the question asks beside the people of the chat, and to whom it is passed on. */
  to?: string;
  escalate?: { afterMs: number; to: string };
  answer?: string;
  /** Handle of the person who answered, or the name of a key. */
  by?: string | undefined;
  /** The first of the questions that were open when this one was asked; absent when none was. */
  askedWith?: string;
}

/** `resetsAt`: when a used-up quota starts again, ISO-8601 UTC. */
export type TurnError = RunError & { resetsAt?: string };

/** A tool call that waits for approval. */
export interface ApprovalItem extends AskedItem, Omit<ApprovalData, 'requestId' | 'expiresAt'> {
  kind: 'approval';
  /** `decidedBy`: name of the key of the person who decided. */
  said?: ApprovalAnswer & { decidedBy?: string };
  /** The person of this page has said yes, and others must, too. */
  hasMyYes?: boolean;
}

/** The fields of a question or approval that can change. */
export type AskedChange = Partial<Pick<AskedItem, 'expiresAt' | 'status' | 'mine'>> &
  Partial<Pick<ApprovalItem, 'approvals' | 'hasMyYes'>> & { answer?: string; said?: ApprovalAnswer };

/** A task that the agent gave to a member of its crew. The steps are in the member's own run and session. */
export interface DelegateItem {
  kind: 'delegate';
  id: string;
  childRunId: string;
  childSessionId: string;
  /** Name of the member's agent. */
  member: string;
  task: string;
  /** The call that delegated the task; absent when the events are no longer stored. */
  toolCallId?: string;
  /** `open` until the member is done, then the end of its run. */
  state: 'open' | TerminalStatus;
  summary?: string;
  error?: RunError;
  usage?: Usage;
  /** ISO-8601 UTC. */
  startedAt: string;
  /** Milliseconds; absent while the task is open. */
  durationMs?: number;
}

export type TurnItem =
  | TextItem
  | ReasoningItem
  | SaidItem
  | ToolItem
  | CompactedItem
  | FileNoticeItem
  | FallbackItem
  | ClarifyItem
  | ApprovalItem
  | DelegateItem;
export type PlainItem = Exclude<TurnItem, DelegateItem>;

/** `sending`: not acknowledged yet. `unsent`: refused, see `error`. Everything else is the state of the run. */
export type TurnState = 'sending' | 'unsent' | RunStatus;

/** One message of a person and the run that answers it. */
export interface Turn {
  /** Stays the same for the life of the view. */
  key: string;
  runId?: string;
  clientMessageId?: string;
  input: string;
  /** Handle of the person who wrote it, or the name of a key; absent when it is not known. */
  by?: string | undefined;
  /** Addresses of the images that the person sent with the message. */
  images?: readonly string[];
  /** The files of that message. */
  files?: readonly SentFile[];
  state: TurnState;
  /** Highest seq applied; 0 when built from stored messages or not started. */
  lastSeq: number;
  items: readonly TurnItem[];
  /** Texts that the person sent into the run and that the agent has not read yet. A message that the run does not read starts the next run. */
  steering?: readonly string[];
  /** Index of the first item of the assistant message that is being streamed. */
  segmentStart: number;
  todos?: readonly TodoItem[];
  usage?: Usage;
  /** Tokens of the latest model call with its answer; absent until the events of the run are loaded. */
  contextTokens?: number;
  /** ISO-8601 UTC. */
  startedAt?: string;
  endedAt?: string;
  error?: TurnError;
  /** Handle of the person who stopped the run, or the name of a key. */
  stoppedBy?: string | undefined;
  /** Why the run is incomplete. */
  reason?: IncompleteReason;
  /** The question a run ended with, when its door could not wait. */
  question?: ClarificationData;
  model?: string;
  demo?: boolean;
}

export interface SessionView {
  turns: readonly Turn[];
}

export const EMPTY_VIEW: SessionView = { turns: [] };

const ENDED: readonly TurnState[] = ['completed', 'incomplete', 'failed', 'cancelled'];

/** Messages of a chat of another program have the id of a run that does not exist. */
export const isImported = (runId: string): boolean => runId.startsWith('imp_');

/** Returns true when the run of the turn has ended. */
export function isOver(turn: Turn): boolean {
  return ENDED.includes(turn.state);
}

/** Returns true while the agent works on the turn. */
export function isActive(turn: Turn): boolean {
  return turn.state === 'running' || turn.state === 'waiting';
}

/** Returns the turn that the agent works on, if any. */
export function findActiveTurn(view: SessionView): Turn | undefined {
  return view.turns.findLast(isActive);
}

/** Returns the questions that wait for an answer. Only the active run can have some. */
export function listOpenQuestions(view: SessionView): ClarifyItem[] {
  return findActiveTurn(view)?.items.filter(isOpenQuestion) ?? [];
}

export const isOpenQuestion = (item: TurnItem): item is ClarifyItem => item.kind === 'clarify' && item.status === 'pending';

/** Returns the question that the message field answers: the open one, unless several are open. */
export function findOpenQuestion(view: SessionView): ClarifyItem | undefined {
  const [first, ...others] = listOpenQuestions(view);
  return others.length === 0 ? first : undefined;
}

/** Returns the question or approval with this id. */
export function findQuestion(view: SessionView, requestId: string): ClarifyItem | ApprovalItem | undefined {
  for (const turn of view.turns.toReversed()) {
    const item = turn.items.find(one => (one.kind === 'clarify' || one.kind === 'approval') && one.requestId === requestId);
    if (item?.kind === 'clarify' || item?.kind === 'approval') return item;
  }
  return undefined;
}

/** Returns the latest plan of the session, if there is one. */
export function findPlan(view: SessionView): readonly TodoItem[] | undefined {
  return view.turns.findLast(turn => turn.todos !== undefined)?.todos;
}

/** Returns the cursor for a reconnect: the last run with received events. */
export function findCursor(view: SessionView): { runId: string; seq: number } | undefined {
  const turn = view.turns.findLast(candidate => candidate.runId !== undefined && candidate.lastSeq > 0);
  return turn?.runId === undefined ? undefined : { runId: turn.runId, seq: turn.lastSeq };
}
