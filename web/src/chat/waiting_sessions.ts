/** Tracks the sessions whose run works or waits for a person, so that the page shows them in every chat. */
import type { WorkingRun } from '../api/rest_types';
import type { AppState } from '../state/app_state';
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
export function createWaitingSessions(context: ChatContext, onUnknown: () => void): WaitingSessions {
  const { store } = context;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refreshIn = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), delayMs);
  };

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    if (context.isSingle) return;
    const { connection, me } = store.get();
    // A key without the scope is refused each time.
    if (me && !me.scopes.includes('chat')) return;
    try {
      if (connection === 'online') await readLists(context, onUnknown);
    } catch {
      // Keeps the list as it is; the connection banner says that the gateway is away.
    }
    refreshIn(INTERVAL_MS);
  }

  // Refresh when the person comes back to this tab.
  addEventListener('focus', () => refreshIn(0));
  return { refresh, refreshSoon: () => refreshIn(REFRESH_DELAY_MS) };
}

type Work = Pick<AppState, 'runningSessionIds' | 'waitingSessionIds' | 'ownWorkIds'>;

async function readLists(context: ChatContext, onUnknown: () => void): Promise<void> {
  const { store } = context;
  const before = store.get();
  let work = await readWork(context);
  // A run that moved from one list to the other during the reading may be in neither.
  if (before.ownWorkIds.some(id => !work.ownWorkIds.includes(id))) work = await readWork(context);
  const hasChanged = (name: keyof Work) => work[name].join() !== store.get()[name].join();
  const isWaitingNew = hasChanged('waitingSessionIds');
  // In one step: between two steps a run that begins to wait would look as if it had ended.
  if (isWaitingNew || hasChanged('runningSessionIds') || hasChanged('ownWorkIds')) store.set(work);
  const known = new Set(store.get().sessions.map(session => session.id));
  if (isWaitingNew && work.waitingSessionIds.some(id => !known.has(id))) onUnknown();
}

async function readWork({ store, rest }: ChatContext): Promise<Work> {
  const [waiting, approvals, running] = await Promise.all([rest.listWaitingRuns(), rest.listOpenApprovals(), rest.listRunningRuns()]);
  const { me } = store.get();
  const isOwn = ({ door, keyName, parentSessionId }: WorkingRun) =>
    door === 'socketio' && keyName === me?.keyName && parentSessionId === undefined;
  // The approval of a crew member waits in the chat that gave it the task.
  const ofCrews = approvals.flatMap(({ parentSessionId }) => parentSessionId ?? []);
  return {
    runningSessionIds: running.map(run => run.sessionId),
    waitingSessionIds: [...new Set([...waiting.map(run => run.sessionId), ...ofCrews])],
    ownWorkIds: [...new Set([...running, ...waiting].filter(isOwn).map(run => run.sessionId))].sort(),
  };
}
