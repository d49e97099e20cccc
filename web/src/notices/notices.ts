/** Tells a person who looks elsewhere that a chat waits for an answer or that its run has ended: by a notification of the system, and by a sound. */
import type { ChatController } from '../chat/chat_controller';
import { messagesFor } from '../i18n/messages';
import { type AppState, isAsking } from '../state/app_state';
import { allRows } from '../state/chat_lists';
import { findActiveTurn } from '../state/view_types';
import { noticeTexts } from './notice_texts';
import { mayAnnounce, tellWhenLooking } from './person_looks';
import { playSound } from './play_sound';

type Kind = 'waiting' | 'ended';

/** The chats with work, by what their run does. */
type Work = ReadonlyMap<string, 'running' | 'waiting'>;

/** Follows the chats until the page closes. */
export function announceWork(controller: ChatController): void {
  tellWhenLooking();
  let before = findWork(controller.store.get());
  controller.store.subscribe(() => {
    const now = findWork(controller.store.get());
    for (const [sessionId, kind] of compareWork(before, now)) void announce(controller, sessionId, kind);
    before = now;
  });
}

/** Returns what happened between two looks: the chats that wait since then, and those whose run ended. */
function compareWork(before: Work, now: Work): [sessionId: string, kind: Kind][] {
  const waiting = [...now].filter(([id, work]) => work === 'waiting' && before.get(id) !== 'waiting');
  const ended = [...before.keys()].filter(id => !now.has(id));
  return [...waiting.map(([id]) => [id, 'waiting'] as [string, Kind]), ...ended.map(id => [id, 'ended'] as [string, Kind])];
}

function findWork(state: AppState): Work {
  const { runningSessionIds, waitingSessionIds, sessionId, phase, view } = state;
  const work = new Map<string, 'running' | 'waiting'>();
  for (const id of runningSessionIds) work.set(id, 'running');
  for (const id of waitingSessionIds) work.set(id, 'waiting');
  if (sessionId === undefined || phase !== 'ready') return work;
  // The view of the open chat is newer than the lists.
  work.delete(sessionId);
  if (isAsking(state)) work.set(sessionId, 'waiting');
  else if (findActiveTurn(view)) work.set(sessionId, 'running');
  return work;
}

async function announce({ store, preferences, open }: ChatController, sessionId: string, kind: Kind): Promise<void> {
  const { notifications, sounds, locale } = preferences.get();
  if (notifications === 'off' && sounds === 'off') return;
  if (!(await mayAnnounce(`${kind}.${sessionId}`))) return;
  if (sounds === 'on') playSound();
  if (notifications === 'off' || typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  const title = allRows(store.get()).find(({ id }) => id === sessionId)?.title || messagesFor(locale).untitled;
  const notification = showNotification(noticeTexts[locale].happened[kind], { body: title, tag: `neta.${sessionId}`, lang: locale });
  if (!notification) return;
  notification.onclick = () => {
    window.focus();
    notification.close();
    open(sessionId);
  };
}

/** Returns undefined in a browser that lets only service workers show notifications, such as Chrome on Android. */
function showNotification(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}
