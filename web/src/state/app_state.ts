/** The state of the chat page, as one value. */
import type { Prompt } from '../api/prompt_api';
import type {
  AgentSummary,
  BranchPlace,
  GatewayInfo,
  Me,
  ModelSummary,
  Project,
  RunFeedback,
  SessionSummary,
  ThinkingLevel,
} from '../api/rest_types';
import type { ConnectionState } from '../connection/gateway_socket';
import type { DraftImage } from '../images/draft_images';
import type { PreparedImages } from '../images/prepare_images';
import { type Draft, EMPTY_DRAFT } from '../platform/drafts';
import type { MessageTarget } from '../platform/session_url';
import type { OpenView } from '../platform/view_url';
import { allRows, type ChatLists } from './chat_lists';
import type { PeopleState } from './chat_people';
import { EMPTY_VIEW, findActiveTurn, type SessionView } from './view_types';

/**
 * `missing`: the session does not exist. `failed`: it could not be loaded; `kept`: the page shows the copy of this device instead. After both, the
 * page tries again at the next connect.
 */
export type SessionPhase = 'ready' | 'loading' | 'missing' | 'failed' | 'kept';

export interface Notice {
  id: number;
  text: string;
}

/** `sessionId`: the session for which it was read. */
export interface ChatFeedback {
  sessionId: string;
  byRun: Readonly<Record<string, RunFeedback | undefined>>;
}

/** Dialogs of the menu of the chat, which commands open too. */
export type ChatDialogName = 'instructions' | 'people' | 'share' | 'import';

export interface AppState extends PeopleState {
  connection: ConnectionState;
  /** The person, as the gateway knows them; absent until the gateway has answered. */
  me?: Me;
  /** True while the gateway wants a key. */
  isLoginNeeded: boolean;
  info?: GatewayInfo;
  sessions: readonly SessionSummary[];
  sessionsCursor?: string;
  sessionsLoaded: boolean;
  pinned: readonly SessionSummary[];
  projects: readonly Project[];
  /** The chats of each folder that is open in the list. */
  folders: ChatLists['folders'];
  /** The agent of new chats; absent: the default agent. */
  agent?: string;
  /** Absent while a new conversation has no stored message. */
  sessionId?: string;
  phase: SessionPhase;
  /** The chat that was open when this person lost the access to it. */
  closedId?: string;
  /** When this device kept the copy that the page shows; milliseconds since 1970. */
  keptAt?: number;
  /** True while the gateway has not sent the list of chats, because it could not be reached. */
  isAway: boolean;
  /** The open session as the gateway knows it; absent until it is loaded. It may be missing in `sessions`. */
  openSession?: SessionSummary;
  view: SessionView;
  /** Runs of crew members that the page follows or has opened, by session. */
  children: Readonly<Record<string, SessionView>>;
  /** The agents of the gateway, once a part of the page has asked for them. */
  agents?: readonly AgentSummary[];
  /** Where the branches of the open chat differ. */
  branchPlaces: readonly BranchPlace[];
  /** What this person gave of feedback in the open chat, by run; absent until it is read. */
  feedback?: ChatFeedback;
  /** The run whose message the person edits. */
  editedRunId?: string;
  /** The run whose branch the person has just switched to; its buttons take the focus. */
  switchedRunId?: string;
  /** The session has turns before those in `view`. */
  hasEarlierTurns: boolean;
  thinkingLevel: ThinkingLevel;
  /** The models that a chat can choose; empty until they are read. */
  models: readonly ModelSummary[];
  /** The open chat is deleted when the person leaves it. */
  isTemporary: boolean;
  /** The agent gets this text with every message of the open chat. */
  instructions?: string;
  /** Id of the model that this chat has chosen; absent: the model of its agent. */
  model?: string;
  /** Clock of the gateway minus clock of this browser, milliseconds. */
  clockOffsetMs: number;
  /** The run that was asked to stop. */
  stoppingRunId?: string;
  /** True after one Escape where a second one stops the agent. */
  isStopArmed: boolean;
  /** Draft in the message field of the open chat. */
  draft: Draft;
  /** Images that go with the next message of the open chat. */
  images: readonly DraftImage[];
  /** Files that could not be attached. */
  imageProblems: PreparedImages['problems'];
  /** The chat of each attachment that is under way; without an id, the chat that has no message yet. */
  readingFor: readonly { sessionId?: string }[];
  /** True while the list of chats covers the page, on narrow screens. */
  isDrawerOpen: boolean;
  /** The view that lies over the chat, such as the memories. */
  openView?: OpenView;
  isSearchOpen: boolean;
  /** The prompt whose variables the person fills in. */
  openPrompt?: Prompt;
  /** True while the page shows its shortcuts. */
  isSheetOpen: boolean;
  /** The open dialog about the chat. */
  chatDialog?: ChatDialogName | undefined;
  /** The message that the transcript shows next; a new object for each time. */
  revealed?: MessageTarget;
  /** Sessions with a run that waits for a person, including the open one. */
  waitingSessionIds: readonly string[];
  /** Counts how often the gateway told that chats or their questions have changed. */
  changesTold: number;
  /** Sessions with a run that works. */
  runningSessionIds: readonly string[];
  /** Sessions in which a message that this person wrote on a chat page works or waits. */
  ownWorkIds: readonly string[];
  notice?: Notice;
}

/** Thinking level of a new session. */
export const DEFAULT_THINKING_LEVEL: ThinkingLevel = 'off';

export const INITIAL_STATE: AppState = {
  connection: 'connecting',
  isLoginNeeded: false,
  sessions: [],
  sessionsLoaded: false,
  pinned: [],
  projects: [],
  folders: {},
  phase: 'ready',
  isAway: false,
  peopleNames: {},
  view: EMPTY_VIEW,
  children: {},
  branchPlaces: [],
  hasEarlierTurns: false,
  isTemporary: false,
  thinkingLevel: DEFAULT_THINKING_LEVEL,
  models: [],
  clockOffsetMs: 0,
  isStopArmed: false,
  draft: EMPTY_DRAFT,
  images: [],
  imageProblems: [],
  readingFor: [],
  isDrawerOpen: false,
  isSearchOpen: false,
  isSheetOpen: false,
  waitingSessionIds: [],
  changesTold: 0,
  runningSessionIds: [],
  ownWorkIds: [],
};

/** Returns true when the agent waits for a person in any chat. */
export function isAnyWaiting(state: AppState): boolean {
  // The view of the open chat is newer than the list.
  return isAsking(state) || state.waitingSessionIds.some(id => id !== state.sessionId);
}

/** Returns true when the agent of the open chat, or a member of its crew, waits for a person. */
export function isAsking({ view, children }: AppState): boolean {
  return [view, ...Object.values(children)].some(each => findActiveTurn(each)?.state === 'waiting');
}

/** Returns true while files are being attached to the open chat. */
export function isReadingFiles({ readingFor, sessionId }: AppState): boolean {
  return readingFor.some(chat => chat.sessionId === sessionId);
}

/** Returns the model that answers in the open chat; undefined when it is not known. */
export function findModel({ models, model, agents, openSession, sessionId }: AppState): ModelSummary | undefined {
  const agent = openSession?.id === sessionId ? agents?.find(({ name }) => name === openSession?.agent) : undefined;
  const chosen = model ?? agent?.model;
  return models.find(({ id }) => id === chosen) ?? models.find(({ default: isDefault }) => isDefault);
}

/** Returns the row of the open chat in the list. Of a chat with branches it is the branch that was used last. */
export function findChatRow(state: AppState): SessionSummary | undefined {
  return state.sessionId === undefined ? undefined : allRows(state).find(row => isRowOf(row, state));
}

/** Returns whether the row shows the chat of the open session. */
export function isRowOf(row: SessionSummary, { sessionId, openSession }: Pick<AppState, 'sessionId' | 'openSession'>): boolean {
  if (sessionId === undefined || row.id === sessionId) return row.id === sessionId;
  const rootId = openSession?.id === sessionId ? (openSession.rootSessionId ?? sessionId) : sessionId;
  return row.rootSessionId === rootId;
}

/** Returns the first session of the open chat when it has branches. */
export function findRootId(state: AppState): string | undefined {
  const { openSession, sessionId } = state;
  return (openSession?.id === sessionId ? openSession?.rootSessionId : undefined) ?? findChatRow(state)?.rootSessionId;
}

/** Returns the title of the open chat; undefined for a new one. */
export function findTitle(state: AppState): string | undefined {
  const { sessionId, openSession } = state;
  return findChatRow(state)?.title ?? (openSession?.id === sessionId ? openSession?.title : undefined);
}

/** Returns what made the open session, when it was not a person. */
export function findOrigin({ sessions, sessionId, openSession }: AppState): { parentSessionId?: string; jobId?: string } | undefined {
  const session = openSession?.id === sessionId ? openSession : sessions.find(({ id }) => id === sessionId);
  const { parentSessionId } = session ?? {};
  const jobId = session?.origin?.jobId;
  if (parentSessionId === undefined && jobId === undefined) return undefined;
  return { parentSessionId, jobId };
}
