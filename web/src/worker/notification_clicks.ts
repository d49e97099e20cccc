/** Opens the chat of a notification that the person has pressed. */
import type { NoticeData, OpenSession } from './worker_messages';

declare const self: ServiceWorkerGlobalScope;

/** Leaves notifications without a session to other listeners. */
export function openFromNotification(event: NotificationEvent): void {
  const { sessionId } = (event.notification.data ?? {}) as Partial<NoticeData>;
  if (sessionId === undefined) return;
  event.notification.close();
  event.waitUntil(openSession(sessionId));
}

/** Shows the chat in a chat page that is open; otherwise in a new window. */
async function openSession(sessionId: string): Promise<void> {
  const root = new URL('./', self.location.href);
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(({ url }) => new URL(url).pathname === root.pathname);
  if (!page) return void (await self.clients.openWindow(`${root.href}?${new URLSearchParams({ session: sessionId })}`));
  await page.focus();
  const message: OpenSession = { type: 'open_session', sessionId };
  page.postMessage(message);
}
