/** Messages of the Socket.IO door that the page sends and reads (protocol version 1). */
import type { ApprovalAnswer, ApprovalData, ClarificationData, RunEvent, RunStatus } from '../../../src/port/run_event';
import type { PresentPerson, SessionSummary, ThinkingLevel } from '../api/rest_types';

/** What a message does while a run is active: it waits, goes into the run, or stops the run and starts the next. */
export type OnBusy = 'enqueue' | 'steer' | 'interrupt';

export type ClientMessage =
  | {
      type: 'chat';
      text: string;
      images?: { mediaType: string; base64: string }[];
      files?: { path: string }[];
      sessionId?: string;
      agent?: string;
      clientMessageId: string;
      locale: string;
      onBusy: OnBusy;
    }
  | { type: 'subscribe'; sessionId: string; after?: { runId: string; seq: number } }
  | { type: 'clarify_response'; sessionId: string; requestId: string; answer: string }
  | ({ type: 'approval_response'; sessionId: string; requestId: string } & ApprovalAnswer)
  | { type: 'clarify_extend'; sessionId: string; requestId: string }
  | { type: 'cancel'; runId: string }
  | { type: 'set_thinking_level'; sessionId: string; level: ThinkingLevel }
  | { type: 'typing'; sessionId: string }
  | { type: 'watch_sessions' }
  | { type: 'ping' };

export interface ChatAck {
  sessionId: string;
  runId: string;
  deduplicated: boolean;
  /** The message went into the active run. */
  steered?: boolean;
}

export interface SubscribeAck {
  session: SessionSummary;
  activeRun?: { runId: string; status: RunStatus; lastSeq: number };
  clarifications: ClarificationData[];
  approvals: ApprovalData[];
}

export interface ReplayReset {
  runId: string;
  lastSeq: number;
  snapshot: { events: RunEvent[] };
}

/** Messages that the gateway sends: numbered events of runs, and a few messages without a number. */
export type ServerMessage =
  | RunEvent
  | { v: 1; type: 'pong'; ts: string }
  | { v: 1; type: 'sessions_changed'; ts: string }
  | { v: 1; type: 'presence'; ts: string; sessionId: string; people: readonly PresentPerson[] }
  | { v: 1; type: 'participants_changed'; ts: string; sessionId: string }
  | { v: 1; type: 'error'; ts: string; data: unknown }
  | { v: 1; type: 'replay_reset'; ts: string; sessionId: string; data: ReplayReset };
