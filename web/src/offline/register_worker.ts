/** Registers the service worker, which keeps the files of the page: web/src/worker/service_worker.ts. */
import { nameHere, ROOT } from '../platform/root';
import type { OpenSession, PageOpened } from '../worker/worker_messages';

/** `openSession` shows a chat whose notification the person has pressed. Never rejects: without a worker the page needs the gateway. */
export async function registerWorker(openSession: (sessionId: string) => void): Promise<void> {
  // Absent without HTTPS. The development server has no worker.
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers || !import.meta.env.PROD) return;
  holdVersion();
  workers.addEventListener('message', ({ data }: MessageEvent<OpenSession>) => {
    if (data.type === 'open_session') openSession(data.sessionId);
  });
  try {
    await workers.register(`${ROOT}service_worker.js`, { scope: ROOT });
    const { active } = await workers.ready;
    const message: PageOpened = { type: 'page_opened', files: performance.getEntriesByType('resource').map(({ name }) => name) };
    active?.postMessage(message);
  } catch {
    // The browser forbids workers, or the gateway is away.
  }
}

/** Tells the worker that a page of this version is open, so that it keeps the files of the version. */
function holdVersion(): void {
  const version = document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content;
  void navigator.locks
    .request(nameHere(`neta.version ${version}`), { mode: 'shared' }, () => new Promise<never>(() => undefined))
    .catch(() => undefined);
}
