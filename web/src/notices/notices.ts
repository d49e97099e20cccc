/** Tells a person who looks elsewhere that a chat waits for an answer or that its run has ended: by a notification of the system, and by a sound. */
import type { ChatController } from '../chat/chat_controller';
import { messagesFor } from '../i18n/messages';
import type { Preferences } from '../platform/preferences';
import { ROOT } from '../platform/root';
import { closeAnsweredNotifications } from '../push/close_notifications';
import { isPushOf, isPushOn, keepPush } from '../push/push_device';
import { isAsking } from '../state/app_state';
import { allRows } from '../state/chat_lists';
import type { AskWhoLooks, NoticeData } from '../worker/worker_messages';
import { compareWork, findWork, type Kind } from './compare_work';
import { noticeTexts } from './notice_texts';
import { mayAnnounce, tellWhenLooking } from './person_looks';
import { playSound } from './play_sound';

/** Follows the chats until the page closes. */
export function announceWork(controller: ChatController): void {
  tellWhenLooking();
  void keepPush(controller.preferences.get().locale);
  closeWhenAnswered(controller);
  tellWorkerWhoLooks(controller);
  // The store changes with each piece of text, so do not look at the work while nothing is announced.
  const look = () => (isSilent(controller.preferences.get()) ? undefined : findWork(controller.store.get()));
  let before = look();
  controller.store.subscribe(() => {
    const now = look();
    if (before && now) for (const [sessionId, kind] of compareWork(before, now)) void announce(controller, sessionId, kind);
    before = now;
  });
}

/** Closes notifications also while the page announces nothing: the gateway may have pushed them. */
function closeWhenAnswered({ store }: ChatController): void {
  const look = () => [isAsking(store.get()), ...store.get().waitingSessionIds].join();
  let before: string | undefined;
  const follow = () => {
    const now = look();
    if (now !== before) void closeAnsweredNotifications();
    before = now;
  };
  follow();
  store.subscribe(follow);
}

/** Before the worker shows a notification, it asks whether the person sees the same here. */
function tellWorkerWhoLooks({ store }: ChatController): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  workers?.addEventListener('message', ({ data, ports: [port] }: MessageEvent<AskWhoLooks>) => {
    if (data.type !== 'who_looks') return;
    const { me, isLoginNeeded, connection } = store.get();
    port?.postMessage(me !== undefined && !isLoginNeeded && connection === 'online' && isPushOf(me));
  });
}

const isSilent = ({ notifications, sounds }: Preferences): boolean => notifications === 'off' && sounds === 'off';

async function announce({ store, preferences, open }: ChatController, sessionId: string, kind: Kind): Promise<void> {
  const { notifications, sounds, locale } = preferences.get();
  if (!(await mayAnnounce(`${kind}.${sessionId}`))) return;
  if (sounds === 'on') playSound();
  // The gateway shows a notification then.
  if (isPushOn()) return;
  if (notifications === 'off' || typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  const title = allRows(store.get()).find(({ id }) => id === sessionId)?.title || messagesFor(locale).untitled;
  const shown = { title: noticeTexts[locale].happened[kind], body: title, tag: `neta.${sessionId}`, lang: locale };
  if (!(await showByWorker(shown, { sessionId, waits: kind === 'waiting' }))) showByPage(shown, () => open(sessionId));
}

type Shown = NotificationOptions & { title: string };

/**
 * Resolves with false without a worker that can show notifications. Chrome on Android lets only workers show them; a press on one is the event
 * `notificationclick` of the worker, which also reaches it when the page is closed by then.
 */
async function showByWorker({ title, ...options }: Shown, data: NoticeData): Promise<boolean> {
  try {
    const registration = await (navigator.serviceWorker as ServiceWorkerContainer | undefined)?.getRegistration(ROOT);
    if (!registration?.active) return false;
    await registration.showNotification(title, { ...options, icon: `${ROOT}icon_192.png`, data });
    return true;
  } catch {
    return false;
  }
}

function showByPage({ title, ...options }: Shown, onPress: () => void): void {
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => {
      window.focus();
      notification.close();
      onPress();
    };
  } catch {
    // The browser lets only workers show notifications.
  }
}
