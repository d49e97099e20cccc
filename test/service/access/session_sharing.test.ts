import { NO_OTHER_NODES } from '../../../src/port/node_bus';
import { type Access, SessionAccess } from '../../../src/service/access/session_access';
import { SessionSharing } from '../../../src/service/access/session_sharing';
import { createManualClock } from '../../support/manual_clock';
import { NO_AUDIT } from '../../support/no_audit';
import { aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;

beforeAll(async () => {
  temporary = await openTemporaryStore();
});
afterAll(() => temporary.release());

it('gives a part in the session as it is stored, when another gateway has shared it a moment ago', async () => {
  const { store } = temporary;
  const clock = createManualClock();
  const id = 'ses_shared';
  const owned = { owner: '@anna', visibility: 'private' as const, accessId: id };
  await store.transaction('none', tx => tx.sessions.insert(aSession({ id, ...owned })));
  const nobody = { findPerson: () => undefined, findGuestSession: () => undefined };
  const people = {
    ...nobody,
    hasPeople: true,
    hasGuests: false,
    findHandle: (_tenantId: string, name: string) => name,
    hasGroup: () => false,
  };
  const sessionAccess = new SessionAccess({ store, people, nodeBus: NO_OTHER_NODES });
  const sharing = new SessionSharing({ store, clock, people, auditLog: NO_AUDIT, sessionAccess, privateTexts: { opens: () => false } });
  const remembered: Access = await sharing.readAccess(TENANT, id);
  await store.transaction('none', async tx => {
    await tx.sessionMembers.setVisibility(TENANT, id, 'shared');
    await tx.sessionMembers.put({ tenantId: TENANT, accessId: id, member: '@carl', role: 'watcher', addedBy: '@anna', addedAt: 1 });
  });
  expect(await sharing.readAccess(TENANT, id)).toBe(remembered);
  await sharing.putParticipant({ tenantId: TENANT, keyName: '@anna', scopes: new Set() }, id, { name: '@ben', role: 'driver' });
  expect((await store.read.sessionMembers.list(TENANT, id)).map(({ member }) => member).sort()).toEqual(['@ben', '@carl']);
});
