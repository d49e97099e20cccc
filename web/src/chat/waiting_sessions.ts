/** Tracks the sessions whose run works or waits for a person, so that the page shows them in every chat. */
import type { ChatContext } from './chat_context';

export interface WaitingSessions {
  /** Reads the sessions now. */
  refresh(): Promise<void>;
  /** Reads the sessions soon; many calls become one. */
  refreshSoon(): void;
}

/** Interval of polling, in milliseconds: events cover only the sessions that this page has opened. */
const INTERVAL_MS = 15_000;
const REFRESH_DELAY_MS = 250;

/** `onUnknown` is called when a waiting session is missing from the list of sessions. */
export function createWaitingSessions({ store, rest }: ChatContext, onUnknown: () => void): WaitingSessions {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refreshIn = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), delayMs);
  };

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    const { connection, me } = store.get();
    // A key without the scope is refused each time.
    if (me && !me.scopes.includes('chat')) return;
    try {
      if (connection === 'online') {
        const [runs, approvals, running] = await Promise.all([rest.listWaitingRuns(), rest.listOpenApprovals(), rest.listRunningRuns()]);
        const runningIds = running.map(run => run.sessionId);
        if (runningIds.join() !== store.get().runningSessionIds.join()) store.set({ runningSessionIds: runningIds });
        // The approval of a crew member waits in the chat that gave it the task.
        const ofCrews = approvals.flatMap(({ parentSessionId }) => parentSessionId ?? []);
        const sessionIds = [...new Set([...runs.map(run => run.sessionId), ...ofCrews])];
        if (sessionIds.join() !== store.get().waitingSessionIds.join()) {
          store.set({ waitingSessionIds: sessionIds });
          const known = new Set(store.get().sessions.map(session => session.id));
          if (sessionIds.some(id => !known.has(id))) onUnknown();
        }
      }
    } catch {
      // Keeps the list as it is; the connection banner says that the gateway is away.
    }
    refreshIn(INTERVAL_MS);
  }

  // Refresh when the person comes back to this tab.
  addEventListener('focus', () => refreshIn(0));
  return { refresh, refreshSoon: () => refreshIn(REFRESH_DELAY_MS) };
}
