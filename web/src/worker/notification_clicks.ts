/** Opens the chat of a notification that the person has pressed. */
import type { NoticeData, OpenSession } from './worker_messages';

declare const self: ServiceWorkerGlobalScope;

/** Leaves notifications without a session to other listeners. */
export function openFromNotification(event: NotificationEvent): void {
  const { sessionId, chatHidden } = (event.notification.data ?? {}) as Partial<NoticeData>;
  if (sessionId === undefined) return;
  event.notification.close();
  event.waitUntil(openSession(chatHidden || sessionId === '' ? undefined : sessionId));
}

/** Shows the chat in a chat page that is open; otherwise in a new window. Without a chat, the page shows above its own one what others ask. */
async function openSession(sessionId: string | undefined): Promise<void> {
  const root = new URL('./', self.location.href);
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(({ url }) => new URL(url).pathname === root.pathname);
  const query = sessionId === undefined ? '' : `?${new URLSearchParams({ session: sessionId })}`;
  if (!page) return void (await self.clients.openWindow(`${root.href}${query}`));
  await page.focus();
  if (sessionId === undefined) return;
  const message: OpenSession = { type: 'open_session', sessionId };
  page.postMessage(message);
}
