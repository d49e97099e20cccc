/** The actions of the page. Components call them and read the store; nothing else talks to the gateway. */
import type { ThinkingLevel } from '../api/rest_types';
import type { OnBusy } from '../connection/protocol';
import { type Draft, writeDraft } from '../platform/drafts';
import type { Preferences } from '../platform/preferences';
import type { MessageTarget } from '../platform/session_url';
import { type Store } from '../platform/store';
import type { OpenView } from '../platform/view_url';
import { type AppState, type ChatDialogName } from '../state/app_state';
import { type ApprovalAnswer, findQuestion, type Turn } from '../state/view_types';
import { type BranchActions, createBranchActions } from './branch_actions';
import { type ChatDeps, createChatDeps } from './chat_deps';
import type { ChatPage } from './chat_page';
import { type ChatSettings, createChatSettings } from './chat_settings';
import { type ChildRuns } from './child_runs';
import { followLanguage, loadAgents, loadInfo } from './gateway_facts';
import { createImageActions, type ImageActions } from './image_actions';
import { type Login } from './login';
import { mentionFile } from './mention_files';
import { createNavigation } from './navigation';
import { answerQuestion, decideApproval, extendQuestion } from './question_actions';
import { clearDraft, removeChats } from './remove_chats';
import { sendAgain, sendMessage } from './send_message';
import { chooseModel, loadModels, setThinkingLevel } from './session_choices';
import { type SessionDirectory } from './session_directory';
import { stopRun } from './stop_run';
import { createToolCallActions, type ToolCallActions } from './tool_call_actions';
import { createTypingNotice } from './typing_notice';

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
  /** Extends the deadline of a question or approval while the person types, and tells others who have the chat open. */
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

export function createChatController(preferences: Store<Preferences>, page: ChatPage): ChatController {
  const deps = createChatDeps(preferences, page);
  const { context, sessions, loader, messages } = deps;
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
    ...createWriting(deps),
    clearDraft: sessionId => clearDraft(context, sessionId),
    setDrawerOpen: isDrawerOpen => store.set({ isDrawerOpen }),
    branches,
    settings: createChatSettings(context, messages),
    edit: editedRunId => store.set({ editedRunId }),
    retry: turn => (turn.state === 'unsent' ? sendAgain(deps, turn) : void branches.resend(turn, turn.input)),
    remove: sessionIds => removeChats(deps, sessionIds, () => navigation.openSession(undefined, 'replace')),
    stop: runId => stopRun(context, runId, messages),
    extend: requestId => extendQuestion(context, requestId),
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

/** Stores and sends what the person types, and tells others who have the chat open that the person types. */
function createWriting({ context, hold }: ChatDeps): Pick<ChatController, 'setDraft' | 'keepOpen' | 'answer' | 'decide'> {
  const { store } = context;
  const typing = createTypingNotice(context);
  return {
    setDraft: draft => {
      writeDraft(store.get().sessionId, draft);
      store.set({ draft });
      if (draft.text === '') typing.end();
      else typing.noteKey();
      if (draft.target && findQuestion(store.get().view, draft.target)) void hold.keepOpen(draft.target);
    },
    keepOpen: requestId => {
      typing.noteKey();
      void hold.keepOpen(requestId);
    },
    answer: (requestId, answer) => {
      typing.end();
      return answerQuestion(context, requestId, answer);
    },
    decide: (requestId, answer) => {
      typing.end();
      return decideApproval(context, requestId, answer);
    },
  };
}
