/** Opens conversations, and assigns a session to a new one. */
import type { RequestError } from '../api/request_error';
import type { SessionSummary } from '../api/rest_types';
import type { ChatAck } from '../connection/protocol';
import { EMPTY_DRAFT, readDraft, writeDraft } from '../platform/drafts';
import { DEFAULT_THINKING_LEVEL } from '../state/app_state';
import { allRows } from '../state/chat_lists';
import { acknowledge, addPending, addSteering, markUnsent } from '../state/session_reducer';
import { EMPTY_VIEW, type Turn } from '../state/view_types';
import { type ChatContext, type Conversation, isShown } from './chat_context';
import { deleteLeftSession, moveTo } from './chat_settings';
import type { Hold, OutgoingMessage } from './kept_messages';
import type { Outbox } from './outbox';
import type { SessionLoader } from './session_loader';

export type AddressChange = 'push' | 'replace' | 'keep';

export interface ConversationDeps {
  context: ChatContext;
  loader: SessionLoader;
  outbox: Outbox;
}

/** What the page knows of a session before it is loaded. */
interface KnownSession {
  session?: SessionSummary;
  turns?: readonly Turn[];
}

export function openConversation(
  { context, loader, outbox }: ConversationDeps,
  sessionId: string | undefined,
  address: AddressChange,
  { session, turns = [] }: KnownSession = {},
): void {
  const { store } = context;
  if (isAlreadyOpen(context, sessionId)) return;
  const known = session ?? allRows(store.get()).find(({ id }) => id === sessionId);
  context.conversation = moveTo(context, sessionId, known);
  const { temporary } = context.conversation;
  if (address !== 'keep') context.place.write(temporary ? undefined : sessionId, address);
  store.set({
    sessionId,
    view: turns.length > 0 ? { turns } : EMPTY_VIEW,
    openSession: session,
    editedRunId: undefined,
    hasEarlierTurns: false,
    keptAt: undefined,
    phase: sessionId ? 'loading' : 'ready',
    thinkingLevel: known?.thinkingLevel ?? DEFAULT_THINKING_LEVEL,
    model: known?.model,
    isTemporary: temporary === true,
    instructions: known?.instructions,
    draft: readDraft(sessionId),
    images: context.draftImages.read(sessionId),
    imageProblems: [],
  });
  showWaiting(context, outbox);
  if (store.get().connection !== 'connecting') void loader.load(context.conversation);
}

/** Shows messages that began a new chat, e.g. in this tab before a reload, when the page shows a new chat again. */
export function showRestored(context: ChatContext, restored: readonly OutgoingMessage[]): void {
  const { store } = context;
  const last = restored.at(-1)?.conversation;
  const { sessionId, view } = store.get();
  if (!last || sessionId !== undefined || view.turns.length > 0) return;
  context.conversation = last;
  for (const message of restored.filter(({ conversation }) => conversation === last)) showUnstored(context, message);
}

/** Shows restored messages of the open chat that its stored turns do not have. */
export function showWaiting(context: ChatContext, outbox: Outbox): void {
  const { store, conversation } = context;
  if (!conversation.sessionId) return;
  for (const message of outbox.waiting(conversation.sessionId)) {
    message.conversation = conversation;
    if (store.get().view.turns.some(({ clientMessageId }) => clientMessageId === message.clientMessageId)) continue;
    showUnstored(context, message);
  }
}

function showUnstored({ store }: ChatContext, { clientMessageId, text, images, hold }: OutgoingMessage): void {
  store.set({ view: addPending(store.get().view, clientMessageId, text, images) });
  if (hold) store.set({ view: markUnsent(store.get().view, clientMessageId, toTurnError(hold)) });
}

/** Shows that the page does not send the message by itself any more. A chat that is opened later shows it too. */
export function onHeld({ store }: ChatContext, { clientMessageId }: OutgoingMessage, hold: Hold): void {
  store.set({ view: markUnsent(store.get().view, clientMessageId, toTurnError(hold)) });
}

/** The page shows a text for the code, in the language of the person. */
const toTurnError = (hold: Hold) => ({ code: hold, message: 'The page does not send this message by itself.', retryable: true });

/** Compares conversations, not only session ids: a new conversation whose first message is not stored yet has no session either, but is not empty. */
function isAlreadyOpen({ store, conversation }: ChatContext, sessionId: string | undefined): boolean {
  const { phase, view } = store.get();
  return sessionId === conversation.sessionId && phase === 'ready' && (sessionId !== undefined || view.turns.length === 0);
}

/** Assigns the session to the conversation and moves the draft to it. */
function adoptSession({ store, draftImages, conversation, place }: ChatContext, sessionId: string): void {
  if (store.get().sessionId === sessionId) return;
  writeDraft(undefined, EMPTY_DRAFT);
  writeDraft(sessionId, store.get().draft);
  draftImages.write(undefined, []);
  draftImages.write(sessionId, store.get().images);
  store.set({ sessionId });
  // A temporary chat is gone after a reload.
  if (!conversation.temporary) place.write(sessionId, 'replace');
}

export async function showNewSession(context: ChatContext, conversation: Conversation, loader: SessionLoader): Promise<void> {
  deleteLeftSession(context, conversation);
  if (!isShown(context, conversation) || !conversation.sessionId) return;
  adoptSession(context, conversation.sessionId);
  await loader.subscribe(conversation);
}

export function onStored(context: ChatContext, message: OutgoingMessage, ack: ChatAck, loader: SessionLoader): void {
  const { conversation, clientMessageId } = message;
  const isNew = conversation.sessionId === undefined;
  conversation.sessionId = ack.sessionId;
  deleteLeftSession(context, conversation);
  if (!isShown(context, conversation)) return;
  const acknowledged = acknowledge(context.store.get().view, clientMessageId, ack.runId);
  const view = ack.steered
    ? addSteering(acknowledged, { runId: ack.runId, text: message.text, before: message.alikeBefore ?? 0 })
    : acknowledged;
  context.store.set({ view });
  adoptSession(context, ack.sessionId);
  const turn = view.turns.find(candidate => candidate.runId === ack.runId);
  // The run may have started or even ended by now, so ask for its events from the first one. Duplicates are skipped.
  if (isNew || (ack.deduplicated && turn?.lastSeq === 0)) {
    void loader.subscribe(conversation, { runId: ack.runId, seq: 0 }).catch(() => undefined);
  }
}

export function onRefused(context: ChatContext, { clientMessageId, conversation }: OutgoingMessage, error: RequestError): void {
  const { code, message, retryable } = error;
  const { resetsAt } = error.details;
  if (isShown(context, conversation)) {
    context.store.set({
      view: markUnsent(context.store.get().view, clientMessageId, {
        code,
        message,
        retryable,
        resetsAt: typeof resetsAt === 'string' ? resetsAt : undefined,
      }),
    });
  } else if (!conversation.isLeft) context.notify(message);
}
