/** Reads and changes what the person gave of feedback in the open chat. */
import { callRest } from '../../api/call_rest';
import type { Page, RunFeedback } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';

type Given = RunFeedback & { runId: string };

const pathOf = (runId: string): string => `/runs/${encodeURIComponent(runId)}/feedback`;

/** Reads the feedback of the open chat, once for each time that it is opened. Never rejects: without an answer no rating is shown. */
export async function loadFeedback({ store }: ChatController): Promise<void> {
  const { sessionId, feedback } = store.get();
  if (sessionId === undefined || feedback?.sessionId === sessionId) return;
  store.set({ feedback: { sessionId, byRun: {} } });
  const query = `/feedback?session=${encodeURIComponent(sessionId)}&mine=true&limit=1000`;
  const page = await callRest<Page<Given>>('GET', query).catch(() => undefined);
  const now = store.get().feedback;
  if (!page || now?.sessionId !== sessionId) return;
  const read = Object.fromEntries(page.data.map(({ runId, rating, text }) => [runId, { rating, text }]));
  // A rating that was given while the request was under way is newer.
  store.set({ feedback: { sessionId, byRun: { ...read, ...now.byRun } } });
}

/**
 * Shows the feedback at once, and stores it when `before`, the request for an earlier change of it, has settled. undefined takes the feedback back. Resolves
 * with whether it is stored: otherwise the page shows the earlier one.
 */
export async function giveFeedback(
  controller: ChatController,
  runId: string,
  given: RunFeedback | undefined,
  before: Promise<unknown>,
): Promise<boolean> {
  const shown = () => controller.store.get().feedback?.byRun[runId];
  const earlier = shown();
  show(controller, runId, given);
  try {
    await before;
    await (given ? callRest('PUT', pathOf(runId), given) : callRest('DELETE', pathOf(runId)));
    return true;
  } catch {
    if (shown() === given) show(controller, runId, earlier);
    return false;
  }
}

function show({ store }: ChatController, runId: string, given: RunFeedback | undefined): void {
  const { feedback } = store.get();
  if (feedback) store.set({ feedback: { ...feedback, byRun: { ...feedback.byRun, [runId]: given } } });
}
