/** Tells a person who looks elsewhere that a chat waits for an answer or that its run has ended: by a notification of the system, and by a sound. */
import type { ChatController } from '../chat/chat_controller';
import { messagesFor } from '../i18n/messages';
import type { Preferences } from '../platform/preferences';
import { allRows } from '../state/chat_lists';
import { compareWork, findWork, type Kind } from './compare_work';
import { noticeTexts } from './notice_texts';
import { mayAnnounce, tellWhenLooking } from './person_looks';
import { playSound } from './play_sound';

/** Follows the chats until the page closes. */
export function announceWork(controller: ChatController): void {
  tellWhenLooking();
  // The store changes with each piece of text, so do not look at the work while nothing is announced.
  const look = () => (isSilent(controller.preferences.get()) ? undefined : findWork(controller.store.get()));
  let before = look();
  controller.store.subscribe(() => {
    const now = look();
    if (before && now) for (const [sessionId, kind] of compareWork(before, now)) void announce(controller, sessionId, kind);
    before = now;
  });
}

const isSilent = ({ notifications, sounds }: Preferences): boolean => notifications === 'off' && sounds === 'off';

async function announce({ store, preferences, open }: ChatController, sessionId: string, kind: Kind): Promise<void> {
  const { notifications, sounds, locale } = preferences.get();
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
