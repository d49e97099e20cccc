/** What the chat page shows of a session: plain immutable values; an update replaces exactly the objects that changed. */
import type {
  ApprovalAnswer,
  ApprovalData,
  ClarificationData,
  IncompleteReason,
  RunError,
  RunEvent,
  RunEventData,
  RunStatus,
  TodoItem,
} from '../../../src/port/run_event';

export type { ApprovalAnswer, ApprovalData, ClarificationData, IncompleteReason, RunError, RunEvent, TodoItem };
export type Usage = RunEventData<'usage'>;

/** A piece of the answer's text. `done` once no more will be added. */
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
}

/** A message that the person sent into the run while it went on. */
export interface SaidItem {
  kind: 'said';
  id: string;
  text: string;
}

/**
 * `ended`: known only from the stored messages, which do not say whether it went well. `stopped`: by a person, or with its run. `denied`: it
 * was not allowed, so it did not run. `unknown`: the gateway stopped under it, so it may have run.
 */
export type ToolState = 'running' | 'ok' | 'failed' | 'stopped' | 'denied' | 'unknown' | 'ended';

export interface ToolItem {
  kind: 'tool';
  id: string;
  toolCallId: string;
  name: string;
  label: string;
  args: unknown;
  state: ToolState;
  /** Output while it runs, at most the last MAX_LIVE_OUTPUT characters. */
  output: string;
  result?: string;
  /** Milliseconds. */
  durationMs?: number;
  cached?: boolean;
  duplicate?: boolean;
  details?: Record<string, unknown>;
}

export type ClarifyStatus = 'pending' | 'answered' | 'expired' | 'cancelled';

/** What a person is asked, of either kind. */
interface AskedItem {
  id: string;
  requestId: string;
  /** ISO-8601 UTC. */
  expiresAt: string;
  status: ClarifyStatus;
  /** Answered in this very page. */
  mine?: boolean;
}

export interface ClarifyItem extends AskedItem {
  kind: 'clarify';
  question: string;
  choices?: string[];
  answer?: string;
}

/** A tool call that waits for a yes. */
export interface ApprovalItem extends AskedItem, Omit<ApprovalData, 'requestId' | 'expiresAt'> {
  kind: 'approval';
  said?: ApprovalAnswer;
}

/** What may change about something that a person is asked. */
export type AskedChange = Partial<Pick<AskedItem, 'expiresAt' | 'status' | 'mine'>> & { answer?: string; said?: ApprovalAnswer };

export type TurnItem = TextItem | ReasoningItem | SaidItem | ToolItem | ClarifyItem | ApprovalItem;

/** `sending`: not acknowledged yet. `unsent`: refused, see `error`. Everything else is the state of the run. */
export type TurnState = 'sending' | 'unsent' | RunStatus;

/** One message of a person and the run that answers it. */
export interface Turn {
  /** Stable for the life of the view. */
  key: string;
  runId?: string;
  clientMessageId?: string;
  input: string;
  state: TurnState;
  /** Highest seq applied; 0 when built from stored messages or not started. */
  lastSeq: number;
  items: readonly TurnItem[];
  /** Index of the first item of the assistant message that is being streamed. */
  segmentStart: number;
  todos?: readonly TodoItem[];
  usage?: Usage;
  error?: RunError;
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

/** Whether the run of the turn is over for good. */
export function isOver(turn: Turn): boolean {
  return ENDED.includes(turn.state);
}

/** Whether the agent works on the turn right now. */
export function isActive(turn: Turn): boolean {
  return turn.state === 'running' || turn.state === 'waiting';
}

/** The turn the agent works on, if any. */
export function findActiveTurn(view: SessionView): Turn | undefined {
  return view.turns.findLast(isActive);
}

/** The question that waits for an answer, if any; only the run that is under way can have one. */
export function findOpenQuestion(view: SessionView): ClarifyItem | undefined {
  return findActiveTurn(view)?.items.findLast((item): item is ClarifyItem => item.kind === 'clarify' && item.status === 'pending');
}

/** The question or approval with this id. */
export function findQuestion(view: SessionView, requestId: string): ClarifyItem | ApprovalItem | undefined {
  for (const turn of view.turns.toReversed()) {
    const item = turn.items.find(one => (one.kind === 'clarify' || one.kind === 'approval') && one.requestId === requestId);
    if (item?.kind === 'clarify' || item?.kind === 'approval') return item;
  }
  return undefined;
}

/** The latest plan of the session, if any run made one. */
export function findPlan(view: SessionView): readonly TodoItem[] | undefined {
  return view.turns.findLast(turn => turn.todos !== undefined)?.todos;
}

/** Where to go on after a reconnect: the last run whose events were seen. */
export function findCursor(view: SessionView): { runId: string; seq: number } | undefined {
  const turn = view.turns.findLast(candidate => candidate.runId !== undefined && candidate.lastSeq > 0);
  return turn?.runId === undefined ? undefined : { runId: turn.runId, seq: turn.lastSeq };
}
