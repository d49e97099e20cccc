/** The actions of the page. Components call them and read the store; nothing else talks to the gateway. */
import { createRestClient } from '../api/rest_client';
import type { ThinkingLevel } from '../api/rest_types';
import { type ConnectionState, connectGateway } from '../connection/gateway_socket';
import type { OnBusy, ServerMessage } from '../connection/protocol';
import { type Messages, messagesFor } from '../i18n/messages';
import { createDraftImages, type DraftImages } from '../images/draft_images';
import { type Draft, readDraft, writeDraft } from '../platform/drafts';
import type { Preferences } from '../platform/preferences';
import type { MessageTarget } from '../platform/session_url';
import { createStore, type Store } from '../platform/store';
import type { OpenView } from '../platform/view_url';
import { type AppState, type ChatDialogName, INITIAL_STATE } from '../state/app_state';
import { type ApprovalAnswer, findQuestion, type Turn } from '../state/view_types';
import { type BranchActions, createBranchActions } from './branch_actions';
import type { ChatContext } from './chat_context';
import type { ChatPage } from './chat_page';
import { type ChatSettings, createChatSettings } from './chat_settings';
import { type ChildRuns, createChildRuns } from './child_runs';
import { type ClockOffset, createClockOffset } from './clock_offset';
import { onHeld, onRefused, onStored, showNewSession, showRestored, showWaiting } from './conversations';
import { readForeignImages } from './foreign_images';
import { followLanguage, loadAgents, loadInfo } from './gateway_facts';
import { createImageActions, type ImageActions } from './image_actions';
import { findKeptPerson } from './kept_chats';
import { createLiveEvents } from './live_events';
import { createLogin, type Login, readLogin } from './login';
import { mentionFile } from './mention_files';
import { createNavigation } from './navigation';
import { createOutbox, type Outbox } from './outbox';
import { answerQuestion, decideApproval, extendQuestion } from './question_actions';
import { createQuestionHold, type QuestionHold } from './question_hold';
import { clearDraft, removeChats } from './remove_chats';
import { sendAgain, sendMessage } from './send_message';
import { chooseModel, loadModels, setThinkingLevel } from './session_choices';
import { createSessionDirectory, type SessionDirectory } from './session_directory';
import { createSessionLoader, type SessionLoader } from './session_loader';
import { stopRun } from './stop_run';
import { createToolCallActions, type ToolCallActions } from './tool_call_actions';
import { createWaitingSessions, type WaitingSessions } from './waiting_sessions';

export interface ChatController {
  readonly store: Store<AppState>;
  readonly preferences: Store<Preferences>;
  readonly sessions: SessionDirectory;
  readonly login: Pick<Login, 'logIn' | 'logOut'>;
  /** Shows a session, or a new conversation. */
  open(sessionId: string | undefined): void;
  /** Shows one message. */
  openMessage(target: MessageTarget): void;
  setSearchOpen(isSearchOpen: boolean): void;
  /** Shows or hides the shortcuts. */
  setSheetOpen(isSheetOpen: boolean): void;
  /** Shows a dialog about the open chat; undefined closes it. */
  openDialog(name: ChatDialogName | undefined): void;
  /** The runs of crew members. */
  readonly children: Pick<ChildRuns, 'follow' | 'load'>;
  /** Loads the list of agents, once. Never rejects. */
  loadAgents(): Promise<void>;
  /** Shows a view over the chat, which goes on behind it; without a view, the chat. */
  openView(view: OpenView | undefined): void;
  /** Shows a short notice. */
  notify(text: string): void;
  /** Deletes chats. Resolves with the ids of the chats that are deleted. */
  remove(sessionIds: readonly string[]): Promise<readonly string[]>;
  /** `images`: data: addresses. */
  send(text: string, images?: readonly string[], onBusy?: OnBusy): void;
  /** Attaches files to the next message. The state shows which could not be used. */
  attach(files: readonly File[]): void;
  /** Names a file of the workspace in the next message of the chat. */
  mention(path: string): void;
  /** Images for the next message. */
  readonly images: Pick<ImageActions, 'remove' | 'attachAgain' | 'clear'>;
  /** Stores the text of the message field. Text that answers a question keeps the question open. */
  setDraft(draft: Draft): void;
  /** Clears the draft of the chat to which it was sent. The page may show another chat by now. */
  clearDraft(sessionId: string | undefined): void;
  setDrawerOpen(isDrawerOpen: boolean): void;
  /** Another message in the place of an earlier one. */
  readonly branches: BranchActions;
  /** Settings of the open chat. */
  readonly settings: ChatSettings;
  /** Opens the message of a run for editing; without a run, closes the field. */
  edit(runId: string | undefined): void;
  /** Sends a refused message again, or the message of a failed run in its place. */
  retry(turn: Turn): void;
  /** Stops a run, or removes a queued message. */
  stop(runId: string): Promise<void>;
  /**
   * Resolves with whether this answer counts; otherwise the view shows the earlier answer. Rejects with a RequestError when the gateway
   * could not be reached or refused it.
   */
  answer(requestId: string, answer: string): Promise<boolean>;
  /** Decides an approval. Settles like `answer`, and rejects when the gateway refuses changed arguments. */
  decide(requestId: string, answer: ApprovalAnswer): Promise<boolean>;
  extend(requestId: string): Promise<void>;
  /** Extends the deadline of a question or approval while the person types. */
  keepOpen(requestId: string): void;
  setThinkingLevel(level: ThinkingLevel): Promise<void>;
  /** Chooses the model of this chat; without an id, the model of its agent. */
  chooseModel(id: string | undefined): Promise<void>;
  /** Reads the models and their states again. Never rejects. */
  loadModels(): Promise<void>;
  enrich(runId: string): void;
  /** Shows the turns before the first one on the page. Never rejects: a failure shows as a notice. */
  loadEarlier(): Promise<void>;
  readonly calls: ToolCallActions;
  reconnect(): void;
  dismissNotice(): void;
}

/** Milliseconds without a connection after which the page loads a session without the socket. */
const SOCKET_GRACE_MS = 1500;
/** Pause before the page connects again after a refusal, in milliseconds. */
const REFUSED_PAUSE_MS = 3_000;

export function createChatController(preferences: Store<Preferences>, page: ChatPage): ChatController {
  const deps = createDeps(preferences, page);
  const { context, sessions, loader, hold, messages } = deps;
  const { store } = context;
  const navigation = createNavigation({ ...deps, isView: page.isView });
  const branches = createBranchActions(deps);
  const images = createImageActions(context, messages);

  navigation.followAddress();
  addEventListener('popstate', navigation.followAddress);
  setTimeout(() => {
    if (store.get().connection === 'connecting') void loader.load(context.conversation);
  }, SOCKET_GRACE_MS);
  void loadInfo(context);
  void sessions.load();
  void deps.login.check();
  followLanguage(preferences, context);

  return {
    store,
    preferences,
    sessions,
    login: deps.login,
    open: sessionId => {
      navigation.openSession(sessionId, 'push');
      navigation.openView(undefined);
    },
    openView: navigation.openView,
    openMessage: navigation.openMessage,
    setSearchOpen: isSearchOpen => store.set({ isSearchOpen }),
    setSheetOpen: isSheetOpen => store.set({ isSheetOpen }),
    openDialog: chatDialog => store.set({ chatDialog }),
    children: deps.children,
    loadAgents: () => loadAgents(context),
    notify: context.notify,
    send: (text, sources = [], onBusy) => sendMessage(deps, text, sources, onBusy),
    attach: files => void images.add(files),
    mention: path => mentionFile(context, context.conversation, path),
    images,
    setDraft: draft => {
      writeDraft(store.get().sessionId, draft);
      store.set({ draft });
      if (draft.target && findQuestion(store.get().view, draft.target)) void hold.keepOpen(draft.target);
    },
    clearDraft: sessionId => clearDraft(context, sessionId),
    setDrawerOpen: isDrawerOpen => store.set({ isDrawerOpen }),
    branches,
    settings: createChatSettings(context, messages),
    edit: editedRunId => store.set({ editedRunId }),
    retry: turn => (turn.state === 'unsent' ? sendAgain(deps, turn) : void branches.resend(turn, turn.input)),
    remove: sessionIds => removeChats(deps, sessionIds, () => navigation.openSession(undefined, 'replace')),
    stop: runId => stopRun(context, runId, messages),
    answer: (requestId, answer) => answerQuestion(context, requestId, answer),
    decide: (requestId, answer) => decideApproval(context, requestId, answer),
    extend: requestId => extendQuestion(context, requestId),
    keepOpen: requestId => void hold.keepOpen(requestId),
    setThinkingLevel: level => setThinkingLevel(context, level, messages),
    chooseModel: id => chooseModel(context, id, messages),
    loadModels: () => loadModels(context),
    enrich: runId => void loader.enrich(runId),
    calls: createToolCallActions(context, messages),
    loadEarlier: () => loader.loadEarlier(context.conversation).catch(() => context.notify(messages().requestFailed)),
    reconnect: () => context.socket.reconnectNow(),
    dismissNotice: () => store.set({ notice: undefined }),
  };
}

interface ChatDeps {
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
function createDeps(preferences: Store<Preferences>, page: ChatPage): ChatDeps {
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
      } else {
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
