/** Shows the images of messages that another tab or program sends: the events do not name them. */
import type { ServerMessage } from '../connection/protocol';
import { putImages } from '../state/session_reducer';
import { type ChatContext, isShown } from './chat_context';

/** Number of latest messages to read: the message that started the run, and messages that wait behind it. */
const LATEST = 20;

/** Call it after the event was applied. Never rejects: without an answer the images appear at the next reload. */
export async function readForeignImages(context: ChatContext, message: ServerMessage): Promise<void> {
  const { store, rest, conversation } = context;
  if (message.type !== 'run_start' || message.sessionId !== conversation.sessionId) return;
  const { runId, sessionId } = message;
  const isOwn = store.get().view.turns.some(turn => turn.runId === runId && (turn.clientMessageId !== undefined || turn.images));
  if (isOwn) return;
  const page = await rest.listMessages(sessionId, { limit: LATEST }).catch(() => undefined);
  const images = page?.data.find(({ runId: of, imageUrls }) => of === runId && imageUrls)?.imageUrls;
  if (images && isShown(context, conversation)) store.set({ view: putImages(store.get().view, runId, images) });
}
