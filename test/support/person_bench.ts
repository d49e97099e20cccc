/** A store with one person who is logged in, and what the services of factors need. */
import { randomUUID } from 'node:crypto';
import { createSealer } from '../../src/adapter/local/disk/sealer';
import { TotpService } from '../../src/feature/people/factor/totp_service';
import { LoginChanges } from '../../src/feature/people/login/login_changes';
import type { Identity } from '../../src/service/auth/key_ring';
import { createManualClock } from './manual_clock';
import { NO_AUDIT } from './no_audit';
import { aPerson } from './store_records';
import { openTemporaryStore } from './temporary_store';

export const PERSON = aPerson();

const IDENTITY = {
  principal: {
    tenantId: PERSON.tenantId,
    keyName: PERSON.handle,
    keyId: PERSON.id,
    scopes: new Set(),
    person: { id: PERSON.id, name: 'Anna', role: 'member' },
  },
  tokenHash: 'login',
} satisfies Identity;

export async function openPersonBench() {
  const { store, release } = await openTemporaryStore();
  await store.transaction({ tenant: PERSON.tenantId }, tx => tx.people.insert(PERSON));
  const clock = createManualClock();
  const sealer = createSealer({ secret: 'k'.repeat(32), file: '' });
  const ids = { next: (kind: string) => `${kind}_${randomUUID()}`, uuid: randomUUID };
  const changes = new LoginChanges({ store, clock, auditLog: NO_AUDIT, listeners: [] });
  const deps = { store, clock, sealer, ids, auditLog: NO_AUDIT, changes, keys: { applyChange: async () => {} } };
  return { ...deps, totp: new TotpService(deps), identity: IDENTITY, release };
}
