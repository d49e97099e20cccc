/** What the actions of the page need, created and connected. */
import { createRestClient } from '../api/rest_client';
import { type ConnectionState, connectGateway } from '../connection/gateway_socket';
import type { ServerMessage } from '../connection/protocol';
import { type Messages, messagesFor } from '../i18n/messages';
import { createDraftImages, type DraftImages } from '../images/draft_images';
import { readDraft } from '../platform/drafts';
import type { Preferences } from '../platform/preferences';
import { createStore, type Store } from '../platform/store';
import { type AppState, INITIAL_STATE } from '../state/app_state';
import type { ChatContext } from './chat_context';
import type { ChatPage } from './chat_page';
import { type ChildRuns, createChildRuns } from './child_runs';
import { type ClockOffset, createClockOffset } from './clock_offset';
import { onHeld, onRefused, onStored, showNewSession, showRestored, showWaiting } from './conversations';
import { readForeignImages } from './foreign_images';
import { loadInfo } from './gateway_facts';
import { findKeptPerson } from './kept_chats';
import { createLiveEvents } from './live_events';
import { createLogin, type Login, readLogin } from './login';
import { createOutbox, type Outbox } from './outbox';
import { createQuestionHold, type QuestionHold } from './question_hold';
import { loadModels } from './session_choices';
import { createSessionDirectory, type SessionDirectory } from './session_directory';
import { createSessionLoader, type SessionLoader } from './session_loader';
import { createWaitingSessions, type WaitingSessions } from './waiting_sessions';

/** Pause before the page connects again after a refusal, in milliseconds. */
const REFUSED_PAUSE_MS = 3_000;

export interface ChatDeps {
  context: ChatContext;
  sessions: SessionDirectory;
  loader: SessionLoader;
  outbox: Outbox;
  waiting: WaitingSessions;
  hold: QuestionHold;
  children: ChildRuns;
  login: Login;
  messages: () => Messages;
}

/** Creates and connects everything behind the actions. The socket connects at once. */
export function createChatDeps(preferences: Store<Preferences>, page: ChatPage): ChatDeps {
  const draftImages = createDraftImages();
  const store = createNewChat(draftImages, page.single?.agent);
  const locale = () => preferences.get().locale;
  const messages = (): Messages => messagesFor(locale());
  const clock = createClockOffset(() => Date.now());
  let noticeId = 0;
  const listeners = {
    onMessage: (message: ServerMessage) => {
      if (message.type === 'pong') store.set({ clockOffsetMs: clock.received(message.ts) });
      else if (message.type === 'sessions_changed') {
        sessions.refreshSoon();
        waiting.refreshSoon();
        store.set({ changesTold: store.get().changesTold + 1 });
      } else if (!notePeople(store, message)) {
        live.receive(message);
        children.receive(message);
        if (message.type === 'model_fallback' || message.type === 'run_end') void loadModels(context);
      }
    },
    onState: (state: ConnectionState) => {
      store.set({ connection: state });
      // The login may have changed: nothing goes out until the gateway has said who the person is on this connection.
      outbox.close();
      if (state !== 'online') return void openOffline(deps);
      // Not at the first connection, where the page has just read the list. Later it may have missed changes.
      if (context.isOpened) sessions.refreshSoon();
      void goOnline(deps, clock);
    },
    onRefused: () => void retryRefused(deps),
    locale,
  };
  const context: ChatContext = {
    store,
    rest: createRestClient(),
    socket: connectGateway(listeners),
    locale,
    draftImages,
    place: page.place,
    loadKeptChats: page.loadKeptChats,
    isSingle: page.single !== undefined,
    conversation: { agent: page.single?.agent },
    notify: text => store.set({ notice: { id: ++noticeId, text } }),
  };
  const sessions = createSessionDirectory(context, messages);
  const live = createLiveEvents(context, {
    onGap: gap => void loader.subscribe(context.conversation, gap).catch(() => undefined),
    onRunBoundary: () => sessions.refreshSoon(),
    onRunStarted: event => void readForeignImages(context, event),
    onAsked: () => waiting.refreshSoon(),
  });
  const waiting = createWaitingSessions(context, () => sessions.refreshSoon());
  const hold = createQuestionHold(context);
  const loader = createSessionLoader(context, live);
  const children = createChildRuns(context, () => void loader.resume(context.conversation));
  const outbox = createOutbox(context, {
    onSession: conversation => showNewSession(context, conversation, loader),
    onStored: (message, ack) => {
      onStored(context, message, ack, loader);
      sessions.refreshSoon();
    },
    onRefused: (message, error) => onRefused(context, message, error),
    onHeld: (message, hold) => onHeld(context, message, hold),
    onRestored: restored => {
      showRestored(context, restored);
      showWaiting(context, outbox);
    },
  });
  const login = createLogin(context, page, () => (context.socket.isOnline() ? void goOnline(deps, clock) : context.socket.reconnectNow()));
  const deps: ChatDeps = { context, sessions, loader, outbox, waiting, hold, children, login, messages };
  return deps;
}

/** Notes news about the people of a chat. Returns false for other messages. */
function notePeople(store: Store<AppState>, message: ServerMessage): boolean {
  if (message.type === 'presence') store.set({ presence: message });
  else if (message.type === 'participants_changed') store.set({ changedParticipants: message });
  else return false;
  return true;
}

/** The draft and the images of a new chat; opening a chat reads the draft and the images of that chat. */
function createNewChat(draftImages: DraftImages, agent: string | undefined): Store<AppState> {
  return createStore<AppState>({ ...INITIAL_STATE, agent, draft: readDraft(undefined), images: draftImages.read(undefined) });
}

/** Shows what this device keeps when the gateway could not be reached as the page opened: the copy of the chat, and unsent messages. */
async function openOffline({ context, loader, outbox }: ChatDeps): Promise<void> {
  if (context.isOpened) return;
  context.isOpened = true;
  if (context.store.get().phase === 'loading') void loader.load(context.conversation);
  const person = await findKeptPerson(context);
  if (person) await outbox.restore(person);
}

/** Connects again after a refusal when the gateway knows the person; otherwise the login card connects after the login. */
async function retryRefused({ context, login }: ChatDeps): Promise<void> {
  await login.check();
  if (context.store.get().isLoginNeeded) return;
  setTimeout(() => context.socket.reconnectNow(), REFUSED_PAUSE_MS);
}

async function goOnline({ context, sessions, loader, outbox, waiting, children, login }: ChatDeps, clock: ClockOffset): Promise<void> {
  context.isOpened = true;
  clock.sent();
  context.socket.request({ type: 'ping' }).catch(() => undefined);
  if (!context.isSingle) context.socket.request({ type: 'watch_sessions' }).catch(() => undefined);
  void loadInfo(context);
  void loadModels(context);
  void sessions.load();
  void waiting.refresh();
  await loader.resume(context.conversation);
  children.resume();
  await outbox.open(() => readLogin(context, login));
}
