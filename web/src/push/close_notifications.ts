/** Closes notifications of the gateway that this browser shows. Nothing here rejects. */
import { callRest } from '../api/call_rest';
import type { Page } from '../api/rest_types';
import { ROOT } from '../platform/root';
import type { NoticeData } from '../worker/worker_messages';

interface OpenQuestion {
  requestId: string;
  sessionId: string;
  parentSessionId?: string;
}

/** Closes all of them. */
export async function closeAllNotifications(): Promise<void> {
  for (const { notification } of await readShown()) notification.close();
}

/** Closes those about questions and approvals that do not wait any more: they were answered elsewhere, or their run has ended. */
export async function closeAnsweredNotifications(): Promise<void> {
  const waiting = (await readShown()).filter(({ data }) => data.waits);
  if (waiting.length === 0) return;
  const pages = await Promise.all(['/clarifications', '/approvals'].map(readOpen)).catch(() => undefined);
  // More questions are open than a page lists.
  if (!pages || pages.some(({ nextCursor }) => nextCursor !== undefined)) return;
  const open = pages.flatMap(({ data }) => data);
  const isOpen = ({ requestId, sessionId }: NoticeData) =>
    open.some(row => (requestId === undefined ? [row.sessionId, row.parentSessionId].includes(sessionId) : row.requestId === requestId));
  for (const { notification, data } of waiting) if (!isOpen(data)) notification.close();
}

const readOpen = (path: string) => callRest<Page<OpenQuestion>>('GET', `${path}?status=pending&limit=1000`);

async function readShown(): Promise<{ notification: Notification; data: NoticeData }[]> {
  try {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const shown = (await (await workers?.getRegistration(ROOT))?.getNotifications()) ?? [];
    return shown.flatMap(notification => {
      const data = notification.data as Partial<NoticeData> | null;
      return data?.sessionId === undefined ? [] : [{ notification, data: data as NoticeData }];
    });
  } catch {
    return [];
  }
}
