/** Finds what happened to the work of the person's chats between two states of the page. */
import { type AppState, isAsking } from '../state/app_state';
import { findActiveTurn } from '../state/view_types';

export type Kind = 'waiting' | 'ended';

/** The chats of the person with work, by what their run does. */
type Work = ReadonlyMap<string, 'running' | 'waiting'>;

/** Returns what happened between two looks: the chats that wait since then, and those whose run ended. */
export function compareWork(before: Work, now: Work): [sessionId: string, kind: Kind][] {
  const waiting = [...now].filter(([id, work]) => work === 'waiting' && before.get(id) !== 'waiting');
  const ended = [...before.keys()].filter(id => !now.has(id));
  return [...waiting.map(([id]) => [id, 'waiting'] as [string, Kind]), ...ended.map(id => [id, 'ended'] as [string, Kind])];
}

/** Returns the chats in which the person works. Those of other people and of programs are none of them. */
export function findWork(state: AppState): Work {
  const { ownWorkIds, waitingSessionIds, sessionId, phase, view } = state;
  const work = new Map<string, 'running' | 'waiting'>();
  for (const id of ownWorkIds) work.set(id, waitingSessionIds.includes(id) ? 'waiting' : 'running');
  if (sessionId === undefined || phase !== 'ready') return work;
  // The view of the open chat is newer than the lists.
  work.delete(sessionId);
  if (isAsking(state)) work.set(sessionId, 'waiting');
  else if (findActiveTurn(view)) work.set(sessionId, 'running');
  return work;
}
