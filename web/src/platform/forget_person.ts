/** Leaves nothing of the person in this browser: at a log-out, and before another tenant uses it. */
import { forgetDrafts } from './drafts';
import { dropAllMessages } from './message_store';
import { ROOT } from './root';
import { withinLimit } from './time_limit';

/** The database of kept chats and drafts. An origin may show several gateways, each below its own path. */
export const DEVICE_DATABASE = `neta.device ${ROOT}`;

/** Another tab may hold up the deletion of the database, which then happens when that tab closes. */
const LIMIT_MS = 2000;

/** Removes drafts, messages that were not sent, and kept chats. Never rejects. */
export async function forgetPerson(): Promise<void> {
  forgetDrafts();
  await Promise.all([dropAllMessages(), withinLimit(deleteDatabase(DEVICE_DATABASE), LIMIT_MS)]);
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}
