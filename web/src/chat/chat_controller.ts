/** What the page can do. Components call these actions and read the store; nothing else talks to the gateway. */
import { RequestError } from '../api/request_error';
import { createRestClient } from '../api/rest_client';
import type { ThinkingLevel } from '../api/rest_types';
import { type ConnectionState, connectGateway } from '../connection/gateway_socket';
import type { ChatAck, ServerMessage } from '../connection/protocol';
import { type Messages, messagesFor } from '../i18n/messages';
import type { Preferences } from '../platform/preferences';
import { readSessionId, writeSessionId } from '../platform/session_url';
import { createUniqueId } from '../platform/unique_id';
import { type AppState, DEFAULT_THINKING_LEVEL, INITIAL_STATE } from '../state/app_state';
import { acknowledge, addPending, markCancelled, markUnsent } from '../state/session_reducer';
import { createStore, type Store } from '../state/store';
import { type ApprovalAnswer, EMPTY_VIEW, type Turn } from '../state/view_types';
import { type ChatContext, type Conversation, isShown } from './chat_context';
import { type ClockOffset, createClockOffset } from './clock_offset';
import { createLiveEvents } from './live_events';
import { createOutbox, type Outbox, type OutgoingMessage } from './outbox';
import { answerQuestion, decideApproval, extendQuestion } from './question_actions';
import { createSessionDirectory, type SessionDirectory } from './session_directory';
import { createSessionLoader, type SessionLoader } from './session_loader';

export interface ChatController {
  readonly store: Store<AppState>;
  readonly sessions: SessionDirectory;
  /** Shows a session, or a new conversation. */
  open(sessionId: string | undefined): void;
  remove(sessionId: string): Promise<void>;
  send(text: string): void;
  /** Sends a refused message once more, or the text of a failed run as a new message. */
  retry(turn: Turn): void;
  /** Stops a run, or takes a waiting message back. */
  stop(runId: string): Promise<void>;
  /** Rejects with a RequestError when the answer did not get through; another's earlier answer shows up in the view instead. */
  answer(requestId: string, answer: string): Promise<void>;
  /** Says yes or no to a tool call. Rejects as `answer` does, also when changed arguments are refused. */
  decide(requestId: string, answer: ApprovalAnswer): Promise<void>;
  extend(requestId: string): Promise<void>;
  setThinkingLevel(level: ThinkingLevel): Promise<void>;
  enrich(runId: string): void;
  /** Takes back what a tool call did to a file. Rejects with a RequestError when that cannot be done. */
  undo(runId: string | undefined, toolCallId: string): Promise<void>;
  reconnect(): void;
  dismissNotice(): void;
}

/** How long the page waits for the socket before it shows a session without it. */
const SOCKET_GRACE_MS = 1500;
const STOP_TIMEOUT_MS = 30_000;

export function createChatController(preferences: Store<Preferences>): ChatController {
  const parts = connectParts(preferences);
  const { context, sessions, loader, outbox, messages } = parts;
  const { store } = context;
  const open = (sessionId: string | undefined, address: AddressChange) => openConversation(parts, sessionId, address);
  const send = (text: string) => sendMessage(parts, text, createUniqueId());

  open(readSessionId(), 'keep');
  addEventListener('popstate', () => open(readSessionId(), 'keep'));
  setTimeout(() => {
    if (store.get().connection === 'connecting') void loader.load(context.conversation);
  }, SOCKET_GRACE_MS);
  loadInfo(context);
  void sessions.refresh();

  return {
    store,
    sessions,
    open: sessionId => open(sessionId, 'push'),
    send,
    retry: turn => {
      const { state, clientMessageId, input } = turn;
      if (state !== 'unsent' || !clientMessageId) return send(input);
      store.set({ view: markUnsent(store.get().view, clientMessageId, undefined) });
      outbox.add({ clientMessageId, text: input, conversation: context.conversation });
    },
    remove: async sessionId => {
      const removed = await sessions.remove(sessionId);
      if (removed && store.get().sessionId === sessionId) open(undefined, 'replace');
    },
    stop: runId => stop(context, runId, messages),
    answer: (requestId, answer) => answerQuestion(context, requestId, answer),
    decide: (requestId, answer) => decideApproval(context, requestId, answer),
    extend: requestId => extendQuestion(context, requestId),
    setThinkingLevel: level => setThinkingLevel(context, level, messages),
    enrich: runId => void loader.enrich(runId),
    undo: (runId, toolCallId) => undoToolCall(context, runId, toolCallId),
    reconnect: () => context.socket.reconnectNow(),
    dismissNotice: () => store.set({ notice: undefined }),
  };
}

type AddressChange = 'push' | 'replace' | 'keep';

interface ChatParts {
  context: ChatContext;
  sessions: SessionDirectory;
  loader: SessionLoader;
  outbox: Outbox;
  messages: () => Messages;
}

/** Everything behind the actions, wired together; the socket connects at once. */
function connectParts(preferences: Store<Preferences>): ChatParts {
  const store = createStore<AppState>(INITIAL_STATE);
  const locale = () => preferences.get().locale;
  const messages = (): Messages => messagesFor(locale());
  const clock = createClockOffset(() => Date.now());
  let noticeId = 0;
  const listeners = {
    onMessage: (message: ServerMessage) => {
      if (message.type === 'pong') store.set({ clockOffsetMs: clock.received(message.ts) });
      else live.receive(message);
    },
    onState: (state: ConnectionState) => {
      store.set({ connection: state });
      if (state === 'online') void goOnline(parts, clock);
    },
    locale,
  };
  const context: ChatContext = {
    store,
    rest: createRestClient(),
    socket: connectGateway(listeners),
    locale,
    conversation: {},
    notify: text => store.set({ notice: { id: ++noticeId, text } }),
  };
  const sessions = createSessionDirectory(context, messages);
  const live = createLiveEvents(context, {
    onGap: gap => void loader.subscribe(context.conversation, gap).catch(() => undefined),
    onRunBoundary: () => sessions.refreshSoon(),
  });
  const loader = createSessionLoader(context, live);
  const outbox = createOutbox(context, {
    onSession: conversation => showNewSession(context, conversation, loader),
    onStored: (message, ack) => {
      onStored(context, message, ack, loader);
      sessions.refreshSoon();
    },
    onRefused: (message, error) => onRefused(context, message, error),
  });
  const parts: ChatParts = { context, sessions, loader, outbox, messages };
  return parts;
}

async function goOnline({ context, sessions, loader, outbox }: ChatParts, clock: ClockOffset): Promise<void> {
  clock.sent();
  context.socket.request({ type: 'ping' }).catch(() => undefined);
  if (!context.store.get().info) loadInfo(context);
  void sessions.refresh();
  await loader.resume(context.conversation);
  outbox.send();
}

function openConversation({ context, loader, outbox }: ChatParts, sessionId: string | undefined, address: AddressChange): void {
  const { store } = context;
  if (sessionId === context.conversation.sessionId && store.get().phase === 'ready') return;
  if (address !== 'keep') writeSessionId(sessionId, address);
  context.conversation = sessionId ? { sessionId } : {};
  const known = store.get().sessions.find(session => session.id === sessionId);
  store.set({
    sessionId,
    view: EMPTY_VIEW,
    phase: sessionId ? 'loading' : 'ready',
    thinkingLevel: known?.thinkingLevel ?? DEFAULT_THINKING_LEVEL,
  });
  for (const message of sessionId ? outbox.waiting(sessionId) : []) {
    message.conversation = context.conversation;
    store.set({ view: addPending(store.get().view, message.clientMessageId, message.text) });
  }
  if (store.get().connection !== 'connecting') void loader.load(context.conversation);
}

function sendMessage({ context, outbox }: ChatParts, text: string, clientMessageId: string): void {
  const { store, conversation } = context;
  store.set({ view: addPending(store.get().view, clientMessageId, text) });
  outbox.add({ clientMessageId, text, conversation });
}

function loadInfo({ rest, store }: ChatContext): void {
  rest.info().then(
    info => store.set({ info }),
    () => undefined,
  );
}

async function showNewSession(context: ChatContext, conversation: Conversation, loader: SessionLoader): Promise<void> {
  if (!isShown(context, conversation)) return;
  context.store.set({ sessionId: conversation.sessionId });
  writeSessionId(conversation.sessionId, 'replace');
  await loader.subscribe(conversation);
}

function onStored(context: ChatContext, message: OutgoingMessage, ack: ChatAck, loader: SessionLoader): void {
  const { conversation, clientMessageId } = message;
  const isNew = conversation.sessionId === undefined;
  conversation.sessionId = ack.sessionId;
  if (!isShown(context, conversation)) return;
  const view = acknowledge(context.store.get().view, clientMessageId, ack.runId);
  context.store.set({ view, sessionId: ack.sessionId });
  writeSessionId(ack.sessionId, 'replace');
  const turn = view.turns.find(candidate => candidate.runId === ack.runId);
  // Its run may be on its way or even over by now: ask for it from its first event. Whatever comes twice is skipped.
  if (isNew || (ack.deduplicated && turn?.lastSeq === 0)) {
    void loader.subscribe(conversation, { runId: ack.runId, seq: 0 }).catch(() => undefined);
  }
}

function onRefused(context: ChatContext, { clientMessageId, conversation }: OutgoingMessage, error: RequestError): void {
  const { code, message, retryable } = error;
  if (isShown(context, conversation)) {
    context.store.set({ view: markUnsent(context.store.get().view, clientMessageId, { code, message, retryable }) });
  } else context.notify(message);
}

async function stop(context: ChatContext, runId: string, messages: () => Messages): Promise<void> {
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

async function undoToolCall({ rest }: ChatContext, runId: string | undefined, toolCallId: string): Promise<void> {
  const executions = runId ? await rest.listToolExecutions(runId) : [];
  const execution = executions.find(candidate => candidate.toolCallId === toolCallId);
  if (!execution) throw new RequestError('not_found', 'There is no such tool execution.', false);
  await rest.undo(execution.id);
}

async function setThinkingLevel(context: ChatContext, level: ThinkingLevel, messages: () => Messages): Promise<void> {
  const { store, socket, conversation } = context;
  const before = store.get().thinkingLevel;
  store.set({ thinkingLevel: level });
  if (!conversation.sessionId) {
    conversation.thinkingLevel = level;
    return;
  }
  try {
    await socket.request({ type: 'set_thinking_level', sessionId: conversation.sessionId, level });
  } catch {
    store.set({ thinkingLevel: before });
    context.notify(messages().requestFailed);
  }
}
