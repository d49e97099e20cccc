/** Shows a session: subscribes first and reads the history then, so that no event is lost between the two. */

import type { RunEvent } from '../../../src/port/run_event';
import { RequestError } from '../api/request_error';
import type { SubscribeAck } from '../connection/protocol';
import { DEFAULT_THINKING_LEVEL } from '../state/app_state';
import { addTasks, isDelegation, toTask } from '../state/delegations';
import { enrichRun, type Gap, mergeHistory, noteUndo, prependHistory } from '../state/session_reducer';
import { findCursor, isImported, isOver, type SessionView, type Turn } from '../state/view_types';
import { type ChatContext, type Conversation, isShown } from './chat_context';
import { isTemporaryChat, settleTemporaryChat } from './chat_settings';
import { showKeptChat } from './kept_chats';
import type { LiveEvents } from './live_events';
import { createStoredTurns } from './stored_turns';

/** Number of latest turns whose details (reasoning, durations, diffs) load at once. Details of older turns load when they are opened. */
const ENRICHED_TURNS = 8;

/** Milliseconds of loading after which the copy of this device is better than nothing: some networks lose requests without an error. */
const SLOW_MS = 8000;

export interface SessionLoader {
  /** Reads the latest turns of the conversation. A failure shows in `phase`. */
  load(conversation: Conversation): Promise<void>;
  /** Reads the turns before those on the page. Rejects like the request. */
  loadEarlier(conversation: Conversation): Promise<void>;
  /** Reads missed events, after a reconnect. */
  resume(conversation: Conversation): Promise<void>;
  /** Receives the events of the session: first the events after the cursor, then new ones. */
  subscribe(conversation: Conversation, after?: Gap): Promise<void>;
  /** Fetches the details of a finished run. */
  enrich(runId: string): Promise<void>;
}

export function createSessionLoader(context: ChatContext, live: LiveEvents): SessionLoader {
  const { store, rest, socket } = context;

  async function subscribe(conversation: Conversation, after?: Gap): Promise<void> {
    const { sessionId } = conversation;
    if (!sessionId) return;
    const answer = await socket.request<SubscribeAck>({ type: 'subscribe', sessionId, after });
    if (!isShown(context, conversation)) return;
    settleTemporaryChat(context, conversation, answer.session);
    // Prefers choices on this page that are not stored yet.
    store.set({
      openSession: answer.session,
      isTemporary: isTemporaryChat(answer.session),
      thinkingLevel: conversation.thinkingLevel ?? answer.session.thinkingLevel ?? DEFAULT_THINKING_LEVEL,
      model: conversation.model === undefined ? answer.session.model : (conversation.model ?? undefined),
      instructions: conversation.instructions === undefined ? answer.session.instructions : (conversation.instructions ?? undefined),
    });
    live.noteDeadlines([...answer.clarifications, ...answer.approvals]);
  }

  async function load(conversation: Conversation): Promise<void> {
    const { sessionId } = conversation;
    if (!sessionId) return;
    const patience = setTimeout(() => {
      if (isShown(context, conversation) && store.get().phase === 'loading') void showKeptChat(context, conversation);
    }, SLOW_MS);
    try {
      if (socket.isOnline()) await subscribe(conversation);
      const stored = createStoredTurns(rest, sessionId);
      const turns = await stored.readEarlier();
      if (!isShown(context, conversation)) return;
      live.flush();
      const view = mergeHistory(withoutKept(store.get().view, conversation), turns);
      // Turns that were loaded earlier stay above these, and loading goes on from there.
      if (!conversation.stored || view.turns[0]?.key === turns[0]?.key) conversation.stored = stored;
      conversation.kept = undefined;
      store.set({ view, phase: 'ready', hasEarlierTurns: conversation.stored.hasEarlier() });
    } catch (error) {
      if (!isShown(context, conversation)) return;
      if (isLost(error) && (conversation.kept || (await showKeptChat(context, conversation)))) return;
      if (!isShown(context, conversation)) return;
      // The gateway has refused the chat, so its copy goes too.
      const view = withoutKept(store.get().view, conversation);
      conversation.kept = undefined;
      store.set({ view, phase: isMissing(error) ? 'missing' : 'failed' });
      return;
    } finally {
      clearTimeout(patience);
    }
    await enrichLatest(context, conversation);
  }

  async function loadEarlier(conversation: Conversation): Promise<void> {
    const { stored } = conversation;
    if (!stored?.hasEarlier()) return;
    const turns = await stored.readEarlier();
    if (!isShown(context, conversation)) return;
    store.set({ view: prependHistory(store.get().view, turns), hasEarlierTurns: stored.hasEarlier() });
  }

  async function resume(conversation: Conversation): Promise<void> {
    const cursor = findCursor(store.get().view);
    if (store.get().phase !== 'ready' || !cursor) return load(conversation);
    try {
      await subscribe(conversation, cursor);
    } catch (error) {
      if (error instanceof RequestError && !error.isLost) await load(conversation);
    }
  }

  return { load, loadEarlier, resume, subscribe, enrich: async runId => (isImported(runId) ? undefined : enrich(context, runId)) };
}

/** Leaves out the turns of the copy of this device. */
function withoutKept(view: SessionView, { kept }: Conversation): SessionView {
  return kept ? { ...view, turns: view.turns.filter(turn => !kept.includes(turn)) } : view;
}

async function enrichLatest(context: ChatContext, conversation: Conversation): Promise<void> {
  for (const turn of context.store.get().view.turns.slice(-ENRICHED_TURNS).toReversed()) {
    if (!isShown(context, conversation)) return;
    if (turn.runId && !isImported(turn.runId) && turn.lastSeq === 0 && isOver(turn)) await enrich(context, turn.runId);
  }
}

async function enrich({ store, rest }: ChatContext, runId: string): Promise<void> {
  try {
    const events = await rest.listEvents(runId);
    store.set({ view: enrichRun(store.get().view, runId, events) });
    if (events.some(isUndoable)) await readUndo({ store, rest }, runId);
  } catch {
    // The gateway deletes events after some time; the stored messages stay on the page.
    await restoreTasks({ store, rest }, runId).catch(() => undefined);
  }
}

const isUndoable = (event: RunEvent): boolean => event.type === 'tool_call_end' && event.data.details?.['undoable'] === true;

/** Reads which changes of a run were undone, in this page or elsewhere. A card offers the undo until the answer is there. */
async function readUndo({ store, rest }: Pick<ChatContext, 'store' | 'rest'>, runId: string): Promise<void> {
  const executions = await rest.listToolExecutions(runId);
  store.set({ view: noteUndo(store.get().view, runId, executions) });
}

/** Adds the tasks that a run delegated, from the runs of the members. */
async function restoreTasks({ store, rest }: Pick<ChatContext, 'store' | 'rest'>, runId: string): Promise<void> {
  const delegates = ({ runId: id, items }: Turn) => id === runId && items.some(isDelegation);
  if (!store.get().view.turns.some(delegates)) return;
  const tasks = (await rest.listChildRuns(runId)).toReversed().map(toTask);
  const { view } = store.get();
  const turns = view.turns.map(turn => (delegates(turn) ? { ...turn, items: addTasks(turn.items, tasks) } : turn));
  store.set({ view: { ...view, turns } });
}

const isLost = (error: unknown): boolean => error instanceof RequestError && error.isLost;

function isMissing(error: unknown): boolean {
  return error instanceof RequestError && (error.code === 'not_found' || error.code === 'invalid_request');
}
