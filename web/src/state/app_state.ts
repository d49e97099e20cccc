/** Everything the chat page shows, as one value. */
import type { GatewayInfo, SessionSummary, ThinkingLevel } from '../api/rest_types';
import type { ConnectionState } from '../connection/gateway_socket';
import { type Draft, EMPTY_DRAFT } from '../platform/drafts';
import { EMPTY_VIEW, findActiveTurn, type SessionView } from './view_types';

/** `missing`: there is no such session. `failed`: it could not be read; the next connect tries again. */
export type SessionPhase = 'ready' | 'loading' | 'missing' | 'failed';

export interface Notice {
  id: number;
  text: string;
}

export interface AppState {
  connection: ConnectionState;
  info?: GatewayInfo;
  sessions: readonly SessionSummary[];
  sessionsCursor?: string;
  sessionsLoaded: boolean;
  /** Absent while a new conversation has no stored message. */
  sessionId?: string;
  phase: SessionPhase;
  view: SessionView;
  thinkingLevel: ThinkingLevel;
  /** Clock of the gateway minus clock of this browser, milliseconds. */
  clockOffsetMs: number;
  /** The run that was asked to stop. */
  stoppingRunId?: string;
  /** One Escape was pressed where it takes two to stop the agent. */
  isStopArmed: boolean;
  /** Text of the message field of the chat on the page. */
  draft: Draft;
  /** Set while the list of chats lies over the page, on narrow screens. */
  isDrawerOpen: boolean;
  /** Sessions with a run that waits for a person, the one on the page included. */
  waitingSessionIds: readonly string[];
  notice?: Notice;
}

/** What a session starts with. */
export const DEFAULT_THINKING_LEVEL: ThinkingLevel = 'off';

export const INITIAL_STATE: AppState = {
  connection: 'connecting',
  sessions: [],
  sessionsLoaded: false,
  phase: 'ready',
  view: EMPTY_VIEW,
  thinkingLevel: DEFAULT_THINKING_LEVEL,
  clockOffsetMs: 0,
  isStopArmed: false,
  draft: EMPTY_DRAFT,
  isDrawerOpen: false,
  waitingSessionIds: [],
};

/** Returns true when the agent waits for a person, in the chat on the page or in another one. */
export function isAnyWaiting({ view, sessionId, waitingSessionIds }: AppState): boolean {
  // The view of the chat on the page is newer than the list.
  return findActiveTurn(view)?.state === 'waiting' || waitingSessionIds.some(id => id !== sessionId);
}
