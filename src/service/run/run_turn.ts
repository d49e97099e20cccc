/** Opens a claimed run for execution: its history, the point where it resumes, its writer and its time limit. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { ChatMessage, Usage } from '../../port/llm';
import type { MessagePlace, MessageRecord } from '../../port/store/messages';
import type { RunRecord } from '../../port/store/runs';
import type { SessionRecord } from '../../port/store/sessions';
import type { Store, StoreReader } from '../../port/store/store';
import type { SummaryRecord } from '../../port/store/summaries';
import { RunSpending } from '../../runtime/run_spending';
import type { Slot } from '../../utils/slot';
import type { AssembledAgent } from '../agent/agent_directory';
import type { RunToolChoice } from '../agent/tool_choice';
import { PausableDeadline } from '../pausable_deadline';
import type { KnownQuestion } from '../question/waiting_run';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import type { ProjectionState } from '../run_log/run_projection';
import { RunWriter, type RunWriterDeps } from '../run_log/run_writer';
import type { EarlyMessages, HistoryCache, SessionHistory } from '../session/history_cache';
import { type ChildJournal, openChildJournal } from './child_events';
import { NO_USAGE } from './finish_run';
import { countToolCalls, LoggedSpending } from './logged_spending';
import { FRESH, type ResumePoint, readResumePoint } from './resume_point';
import type { RunHandle } from './run_handle';

export interface RunTurn extends Omit<ResumePoint, 'resumed' | 'childEvents' | 'startedWith' | 'spent'> {
  run: RunRecord;
  agent: AssembledAgent;
  /** The chosen model: an id of models.yaml, or the name that a server knows. Undefined: the default model. */
  model?: string;
  handle: RunHandle;
  writer: RunWriter;
  /** Stops the run with `run_timeout`; does not count the time in which the run waits for a person. */
  deadline: PausableDeadline;
  /** The newest messages of the session as stored, with all messages of the run. */
  messages: readonly MessageRecord[];
  /** The first message of the session, when messages in between were not read and no summary covers them. */
  opening?: ChatMessage;
  /** The summary that stands for the messages before `messages`, and for the first messages of the run when it covers them. */
  summary?: SummaryRecord;
  /** Tokens that the run has used so far; the loop adds the tokens of each model call. */
  usage: Usage;
  /** Tokens by model, with the budget of the run. */
  spending: RunSpending;
  children: ChildJournal;
  /** Present when the run was interrupted before. */
  resumed?: ResumePoint['resumed'];
}

type OpenPoint = Omit<ResumePoint, 'resumed' | 'spent'> & Partial<Pick<ResumePoint, 'resumed' | 'spent'>>;
type TurnDeps = RunWriterDeps & { histories: HistoryCache; toolChoice: Slot<RunToolChoice>; runTimeoutMs: number };

/** Opens a claimed run. Retries while the store is unavailable. Rejects with the reason of the handle's signal after an abort. */
export async function openTurn(
  deps: TurnDeps,
  run: RunRecord,
  { agent: given, handle }: { agent: AssembledAgent; handle: RunHandle },
): Promise<RunTurn> {
  const { store, clock, histories, toolChoice } = deps;
  const giveUp = () => handle.signal.throwIfAborted();
  const agent = await retryWhileStoreUnavailable(clock, () => toolChoice.current.agentFor(run, given, store.read), giveUp);
  const session = await retryWhileStoreUnavailable(clock, () => store.read.sessions.get(run.tenantId, run.sessionId), giveUp);
  const history = await retryWhileStoreUnavailable(clock, () => histories.readHistory(run, session), giveUp);
  const readPoint = () => readResumePoint(store.read, run, history.messages, clock.now());
  const point: OpenPoint = run.epoch > 1 ? await retryWhileStoreUnavailable(clock, readPoint, giveUp) : FRESH;
  const turn = createTurn(deps, run, { agent, handle, point, history });
  if (run.limits.maxToolCalls !== undefined)
    await retryWhileStoreUnavailable(clock, () => countChildCalls(store.read, turn, point), giveUp);
  return turn;
}

/** What is known of a run in the transaction that accepts it. `read`: this transaction. */
interface NewTurn {
  agent: AssembledAgent;
  handle: RunHandle;
  read: StoreReader;
  session: SessionRecord | undefined;
  messages?: EarlyMessages;
}

/** Opens a run in the transaction that accepts it. Rejects `store_unavailable`. */
export async function openNewTurn(
  deps: TurnDeps,
  run: RunRecord,
  { agent: given, handle, read, session, messages }: NewTurn,
): Promise<RunTurn> {
  const agent = await deps.toolChoice.current.agentFor(run, given, read);
  return createTurn(deps, run, { agent, handle, point: FRESH, history: await deps.histories.readHistory(run, session, read, messages) });
}

function createTurn(
  deps: TurnDeps,
  run: RunRecord,
  { agent, handle, point, history }: Pick<RunTurn, 'agent' | 'handle'> & { point: OpenPoint; history: SessionHistory },
): RunTurn {
  const { clock } = deps;
  const { childEvents, startedWith, spent = new LoggedSpending(), ...rest } = point;
  const opened = run.caller ? { ...rest, projection: behindGiven(rest.projection, run, history) } : rest;
  // A run goes on with the model that its first event names, whatever the default is today.
  const model = startedWith ?? run.model ?? agent.profile.model;
  const writer = new RunWriter(deps, run, opened.projection, handle);
  handle.writer = writer;
  const elapsedMs = clock.now() - (run.startedAt ?? clock.now()) - point.waitedMs;
  const leftMs = Math.max(0, (run.limits.timeoutMs ?? deps.runTimeoutMs) - elapsedMs);
  const deadline = new PausableDeadline(clock, leftMs, () => handle.stop(new AppError('run_timeout')));
  const children = openChildJournal(childEvents);
  return {
    ...opened,
    model,
    children,
    usage: spent.usage,
    spending: openSpending(run, spent),
    run,
    agent,
    handle,
    writer,
    deadline,
    ...history,
  };
}

/** Moves the projection behind the messages that the caller gave, which stand before the messages of the run. */
function behindGiven(projection: ProjectionState, run: RunRecord, { messages }: SessionHistory): ProjectionState {
  const last = messages.findLast(row => row.runOrdinal === run.ordinal);
  return last && last.position >= projection.nextPosition ? { ...projection, nextPosition: last.position + 1 } : projection;
}

/** Adds the tool calls of child runs that ended before the interruption. */
async function countChildCalls(read: StoreReader, { run, spending }: RunTurn, { spent }: OpenPoint): Promise<void> {
  const ended = spent?.children ?? [];
  const counts = await Promise.all(ended.map(({ childRunId }) => countToolCalls(read, { tenantId: run.tenantId, id: childRunId })));
  spending.addChild(
    NO_USAGE,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

function openSpending({ limits }: RunRecord, { byModel, toolCalls, children }: LoggedSpending): RunSpending {
  const spending = new RunSpending({ budget: limits, byModel, toolCalls });
  for (const { usage } of children) spending.addChild(usage, 0);
  return spending;
}

/**
 * Returns a function that reads, once, the messages that the turn has not loaded: a summary covers them, or they are too far back. Retries while the
 * store is unavailable, until the run is stopped.
 */
export function earlierMessagesOf(turn: RunTurn, { store, clock }: { store: Store; clock: Clock }): () => Promise<readonly ChatMessage[]> {
  const { run, messages, summary, opening, handle } = turn;
  const [first] = messages;
  // Most turns have loaded every message. A crew member has no earlier messages of a person: these messages are in the session of its master.
  if ((!summary && !opening) || !first || run.parent) return async () => [];
  let reading: Promise<readonly ChatMessage[]> | undefined;
  const read = async () => {
    const giveUp = () => handle.signal.throwIfAborted();
    const rows = await retryWhileStoreUnavailable(clock, () => store.read.messages.history(run.tenantId, run.sessionId), giveUp);
    return rows.filter(row => isBefore(row, first)).map(({ message }) => message);
  };
  return () => {
    reading ??= read();
    return reading;
  };
}

const isBefore = (place: MessagePlace, other: MessagePlace): boolean =>
  place.runOrdinal < other.runOrdinal || (place.runOrdinal === other.runOrdinal && place.position < other.position);

/** Returns the clarification that the call asked before the run was interrupted. */
export function knownQuestion({ questions, open }: RunTurn, toolCallId: string): KnownQuestion | undefined {
  const question = questions.get(toolCallId);
  return question && { question, stored: open.some(({ id }) => id === question.id) ? 'open' : 'ended' };
}

/** Waits for a person; the time limit of the run stands still until `wait` settles. */
export async function waitForPerson<T>({ deadline, handle }: RunTurn, wait: () => Promise<T>): Promise<T> {
  deadline.pause();
  try {
    return await handle.whileWaiting(wait);
  } finally {
    deadline.resume();
  }
}
