import type { Messages } from '../i18n/messages';
import { markCancelled } from '../state/session_reducer';
import type { ChatContext } from './chat_context';

const STOP_TIMEOUT_MS = 30_000;

/** Stops a run, or removes a queued message. Never rejects: a failure shows as a notice. */
export async function stopRun(context: ChatContext, runId: string, messages: () => Messages): Promise<void> {
  const { store, socket } = context;
  store.set({ stoppingRunId: runId });
  try {
    await socket.request({ type: 'cancel', runId }, STOP_TIMEOUT_MS);
    store.set({ view: markCancelled(store.get().view, runId) });
  } catch {
    context.notify(messages().stopFailed);
  } finally {
    store.set({ stoppingRunId: undefined });
  }
}
