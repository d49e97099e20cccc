/** Everything the chat page shows, as one value. */
import type { GatewayInfo, SessionSummary, ThinkingLevel } from '../api/rest_types';
import type { ConnectionState } from '../connection/gateway_socket';
import { EMPTY_VIEW, type SessionView } from './view_types';

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
};
