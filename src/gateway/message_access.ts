/** Asks who may do in a session what a client message wants. */
import { AppError } from '../errors';
import type { Principal } from '../port/principal';
import type { SessionAccess } from '../service/access/session_access';
import type { SessionIds } from '../service/access/session_ids';
import { type ClientMessage, GUEST_MESSAGES, MESSAGE_ACTIONS } from './protocol';

interface AccessDeps {
  sessionAccess: SessionAccess;
  sessionIds: SessionIds;
}

/** Refuses a message about a session that the caller does not see, or that needs another part in it. */
export async function assertMayHandle(message: ClientMessage, caller: Principal, { sessionAccess, sessionIds }: AccessDeps): Promise<void> {
  if (caller.guestOf !== undefined && !GUEST_MESSAGES.has(message.type)) throw new AppError('not_found');
  const action = MESSAGE_ACTIONS[message.type];
  if (!action) return;
  for (const id of [named(message, 'sessionId'), named(message, 'runId'), named(message, 'requestId')]) {
    const sessionId = id === undefined ? undefined : await sessionIds.sessionOf(caller.tenantId, id);
    if (sessionId !== undefined) await sessionAccess.assertMay(caller, sessionId, action);
  }
}

/** Returns the id in a field of a message. */
function named(message: ClientMessage, field: 'sessionId' | 'runId' | 'requestId'): string | undefined {
  return field in message ? (message as Partial<Record<typeof field, string>>)[field] : undefined;
}
