/** What connections that follow a session are told beside the events of its runs. Notices have no seq and are not stored. */
import type { SessionPart } from './session_action';

/** A person or a key that looks at a session now. */
export interface PresentPerson {
  /** The handle of a person such as `@anna`, or the name of a key. */
  handle: string;
  name: string;
  part: SessionPart;
  typing: boolean;
  /** Connections of the person that follow the session. */
  tabs: number;
}

interface Notice<T extends string> {
  v: 1;
  type: T;
  sessionId: string;
  ts: string;
}

/** presence: who looks now. participants_changed: it has changed who sees the session, or which part somebody has. */
export type SessionNotice = (Notice<'presence'> & { people: readonly PresentPerson[] }) | Notice<'participants_changed'>;
