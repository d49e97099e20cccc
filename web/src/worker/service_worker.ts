/**
 * The service worker of the chat page: it keeps the files of the page, so that the page opens without the gateway, shows notifications that the
 * gateway pushes, and opens their chats. It never answers for the API.
 */
import { openFromNotification } from './notification_clicks';
import { answerRequest, keepFiles, removeOldVersions, storeVersion } from './page_files';
import { decideFromNotification, showPush } from './push_events';
import type { PageOpened } from './worker_messages';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', event => {
  // Open pages of the last version keep their files, so the new version need not wait for their end.
  event.waitUntil(storeVersion().then(() => self.skipWaiting()));
});

self.addEventListener('activate', event => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable(), removeOldVersions()]));
});

self.addEventListener('fetch', event => {
  const answer = answerRequest(event);
  if (answer) event.respondWith(answer);
});

self.addEventListener('message', event => {
  const message = event.data as PageOpened;
  if (message.type === 'page_opened') event.waitUntil(keepFiles(message.files).then(removeOldVersions));
});

self.addEventListener('push', event => event.waitUntil(showPush(event.data)));

self.addEventListener('notificationclick', event => {
  if (!decideFromNotification(event)) openFromNotification(event);
});
