/** The state of the chat page, as one value. */
import type { GatewayInfo, SessionSummary, ThinkingLevel } from '../api/rest_types';
import type { ConnectionState } from '../connection/gateway_socket';
import { type Draft, EMPTY_DRAFT } from '../platform/drafts';
import type { OpenView } from '../platform/view_url';
import { EMPTY_VIEW, findActiveTurn, type SessionView } from './view_types';

/** `missing`: the session does not exist. `failed`: it could not be loaded; the page retries at the next connect. */
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
  /** The session has turns before those in `view`. */
  hasEarlierTurns: boolean;
  thinkingLevel: ThinkingLevel;
  /** Clock of the gateway minus clock of this browser, milliseconds. */
  clockOffsetMs: number;
  /** The run that was asked to stop. */
  stoppingRunId?: string;
  /** True after one Escape where a second one stops the agent. */
  isStopArmed: boolean;
  /** Draft in the message field of the open chat. */
  draft: Draft;
  /** True while the list of chats covers the page, on narrow screens. */
  isDrawerOpen: boolean;
  /** The view that lies over the chat, such as the memories. */
  openView?: OpenView;
  /** Sessions with a run that waits for a person, including the open one. */
  waitingSessionIds: readonly string[];
  notice?: Notice;
}

/** Thinking level of a new session. */
export const DEFAULT_THINKING_LEVEL: ThinkingLevel = 'off';

export const INITIAL_STATE: AppState = {
  connection: 'connecting',
  sessions: [],
  sessionsLoaded: false,
  phase: 'ready',
  view: EMPTY_VIEW,
  hasEarlierTurns: false,
  thinkingLevel: DEFAULT_THINKING_LEVEL,
  clockOffsetMs: 0,
  isStopArmed: false,
  draft: EMPTY_DRAFT,
  isDrawerOpen: false,
  waitingSessionIds: [],
};

/** Returns true when the agent waits for a person in any chat. */
export function isAnyWaiting({ view, sessionId, waitingSessionIds }: AppState): boolean {
  // The view of the open chat is newer than the list.
  return findActiveTurn(view)?.state === 'waiting' || waitingSessionIds.some(id => id !== sessionId);
}
