/** Follows the runs of crew members over the same socket, and reads those that have ended. */
import type { ReplayReset, ServerMessage, SubscribeAck } from '../connection/protocol';
import { createFrameBatch } from '../platform/frame_batch';
import { applyEvents, resetRun, updateQuestion } from '../state/session_reducer';
import { EMPTY_VIEW, isOver, type RunEvent, type SessionView, type Turn } from '../state/view_types';
import type { ChatContext } from './chat_context';

/** The run of a crew member. */
export interface ChildRun {
  childRunId: string;
  childSessionId: string;
}

export interface ChildRuns {
  /** Follows a running child: receives its earlier events, then new ones. Does nothing for a child that is followed already. */
  follow(child: ChildRun): void;
  /** Reads all events of a child that has ended. Rejects with a RequestError. */
  load(child: ChildRun): Promise<void>;
  /** Takes a message of the socket, which may belong to any session. */
  receive(message: ServerMessage): void;
  /** Reads missed events, after a reconnect. */
  resume(): void;
  /** Forgets all children: the page shows another session. */
  clear(): void;
}

/** The gateway sends the events of at most 64 sessions to one socket and then drops the oldest. */
const MANY_SESSIONS = 32;

/** `onManySessions` is called after every 32 children: subscribe to the open session again, so that the gateway does not drop that subscription. */
export function createChildRuns(context: ChatContext, onManySessions: () => void): ChildRuns {
  const { store, socket, rest } = context;
  /** Run by session. */
  const followed = new Map<string, string>();
  let count = 0;
  const batch = createFrameBatch<ServerMessage>(messages => {
    const children = { ...store.get().children };
    const incomplete = new Map<string, string>();
    for (const message of messages) {
      const sessionId = sessionOf(message);
      const runId = sessionId && followed.get(sessionId);
      if (!sessionId || !runId) continue;
      const { view, isComplete } = applyMessage(children[sessionId] ?? EMPTY_VIEW, runId, message);
      children[sessionId] = view;
      if (!isComplete) incomplete.set(sessionId, runId);
      if (view.turns.some(isOver)) followed.delete(sessionId);
    }
    store.set({ children });
    for (const [sessionId, runId] of incomplete) void subscribe(sessionId, runId);
  });

  async function subscribe(sessionId: string, runId: string): Promise<void> {
    const seq = turnOf(store.get().children[sessionId], runId)?.lastSeq ?? 0;
    try {
      const ack = await socket.request<SubscribeAck>({ type: 'subscribe', sessionId, after: { runId, seq } });
      batch.flush();
      const view = store.get().children[sessionId];
      if (view) store.set({ children: { ...store.get().children, [sessionId]: applyDeadlines(view, ack) } });
    } catch {
      // The page retries at the next connection.
    }
  }

  return {
    follow: ({ childRunId, childSessionId }) => {
      if (followed.has(childSessionId) || turnOf(store.get().children[childSessionId], childRunId)) return;
      followed.set(childSessionId, childRunId);
      void subscribe(childSessionId, childRunId);
      count += 1;
      if (count % MANY_SESSIONS === 0) onManySessions();
    },
    load: async ({ childRunId, childSessionId }) => {
      if (turnOf(store.get().children[childSessionId], childRunId)) return;
      const events = await rest.listEvents(childRunId);
      const view = resetRun(EMPTY_VIEW, childRunId, events, 0);
      store.set({ children: { ...store.get().children, [childSessionId]: view } });
    },
    receive: message => {
      const sessionId = sessionOf(message);
      if (sessionId !== undefined && followed.has(sessionId)) batch.push(message);
    },
    resume: () => {
      for (const [sessionId, runId] of followed) void subscribe(sessionId, runId);
    },
    clear: () => {
      followed.clear();
      store.set({ children: {} });
    },
  };
}

/** `isComplete` is false when events before this one are missing. */
function applyMessage(view: SessionView, runId: string, message: ServerMessage): { view: SessionView; isComplete: boolean } {
  if (message.type === 'replay_reset') {
    const { snapshot, lastSeq, ...data }: ReplayReset = message.data;
    return { view: data.runId === runId ? resetRun(view, runId, snapshot.events, lastSeq) : view, isComplete: true };
  }
  if (!isEventOf(message, runId)) return { view, isComplete: true };
  const applied = applyEvents(view, [message]);
  return { view: applied.view, isComplete: applied.gap === undefined };
}

function isEventOf(message: ServerMessage, runId: string): message is RunEvent {
  return 'seq' in message && message.runId === runId;
}

function sessionOf(message: ServerMessage): string | undefined {
  return 'sessionId' in message ? message.sessionId : undefined;
}

function turnOf(view: SessionView | undefined, runId: string): Turn | undefined {
  return view?.turns.find(turn => turn.runId === runId);
}

/** The deadlines of open questions may be later than those in the events. */
function applyDeadlines(view: SessionView, { clarifications, approvals }: SubscribeAck): SessionView {
  return [...clarifications, ...approvals].reduce(
    (current, { requestId, expiresAt }) => updateQuestion(current, requestId, { expiresAt }),
    view,
  );
}
