/** What people may do in a session, by their part in it. */
import { AppError } from '../../errors';
import type { ParticipantRole } from '../../port/store/session_access';

/**
 * look: read. drive: write, steer, cancel. answer: answer questions. approve: decide approvals. invite: add and remove participants. own: delete the
 * session, and make links to it. share: change who sees the session.
 */
export type SessionAction = 'look' | 'drive' | 'answer' | 'approve' | 'invite' | 'own' | 'share';

/** guest: holds a link to the session with which guests write. tenant: sees the session because its tenant does. everybody: the same for a session without an owner, which is everybody's of the tenant. */
export type SessionPart = 'owner' | ParticipantRole | 'guest' | 'tenant' | 'everybody';

const ALLOWED: Readonly<Record<SessionAction, readonly SessionPart[]>> = {
  look: ['owner', 'driver', 'approver', 'watcher', 'guest', 'tenant', 'everybody'],
  drive: ['owner', 'driver', 'guest', 'tenant', 'everybody'],
  answer: ['owner', 'driver', 'approver', 'guest', 'tenant', 'everybody'],
  approve: ['owner', 'approver', 'tenant', 'everybody'],
  invite: ['owner', 'driver'],
  own: ['owner', 'everybody'],
  share: ['owner'],
};

/** Returns true when a person with this part may do it. */
export const allows = (part: SessionPart, action: SessionAction): boolean => ALLOWED[action].includes(part);

/** The error for a person who sees the session and may not do this in it. */
export function partIsMissing(part: SessionPart, action: SessionAction): AppError {
  const needed = ALLOWED[action].filter(name => !['guest', 'tenant', 'everybody'].includes(name));
  const names = { en: needed.join(' or '), 'zh-CN': needed.join(' 或 ') };
  return new AppError('forbidden', {
    message: `This needs the part ${names.en} in this session; yours is ${part}. The owner gives parts: POST /sessions/:id/participants.`,
    messageZh: `此操作需要在此会话中是 ${names['zh-CN']}，而你是 ${part}。由所有者分配：POST /sessions/:id/participants。`,
    details: { part, needed },
  });
}
