/** Builds what says which sessions and things a caller sees. */
import type { CoreBase } from './core_base';
import type { RunParts } from './run_parts';
import { OwnedThings } from './service/access/owned_things';
import { PrivateTexts } from './service/access/private_texts';
import { SessionIds } from './service/access/session_ids';
import { SessionPresence } from './service/access/session_presence';
import { SessionSharing } from './service/access/session_sharing';

export function createAccessParts(
  { settings, ports, auditLog, textReads }: CoreBase,
  { auth, sessionAccess }: Pick<RunParts, 'auth' | 'sessionAccess'>,
) {
  const { store, clock, nodeBus } = ports;
  const privateTexts = new PrivateTexts({ sessionAccess, textReads, isAllowed: settings.readsPrivateChats });
  return {
    sessionAccess,
    sessionIds: new SessionIds(store),
    sessionPresence: new SessionPresence({ clock, nodeBus, sessionAccess, people: auth.keyRing }),
    privateTexts,
    ownedThings: new OwnedThings({ sessionAccess, people: auth.keyRing }),
    sessionSharing: new SessionSharing({ store, clock, auditLog, sessionAccess, privateTexts, people: auth.keyRing }),
  };
}
