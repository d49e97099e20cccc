/** Guesses of codes that come at the same moment, as at several gateways or from several addresses. */
import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { createSealer } from '../../../src/adapter/local/disk/sealer';
import type { PersonRecord } from '../../../src/feature/people/store/people_records';
import { TotpService } from '../../../src/feature/people/totp_service';
import { createManualClock } from '../../support/manual_clock';
import { NO_AUDIT } from '../../support/no_audit';
import { openTemporaryStore } from '../../support/temporary_store';

const LIMIT = 50;

const PERSON: PersonRecord = {
  tenantId: 'default',
  id: 'per_1',
  handle: '@anna',
  name: 'Anna',
  email: 'anna@example.com',
  role: 'member',
  locale: 'en',
  state: 'active',
  subject: 'subject',
  passwordHash: 'hash',
  madeBy: 'invitation',
  createdAt: 1,
  updatedAt: 1,
};

it('ASVS 2.2.1: takes no code behind the limit of wrong ones, also when all guesses begin at the same moment', async () => {
  const { store, release } = await openTemporaryStore();
  try {
    const clock = createManualClock();
    const sealer = createSealer({ secret: 'k'.repeat(32), file: '' });
    const ids = { next: (kind: string) => `${kind}_${randomUUID()}`, uuid: randomUUID };
    const totp = new TotpService({ store, clock, sealer, ids, auditLog: NO_AUDIT });
    await store.transaction({ tenant: PERSON.tenantId }, tx => tx.people.insert(PERSON));
    const principal = { tenantId: PERSON.tenantId, keyName: PERSON.handle, scopes: [], person: { id: PERSON.id } };
    const identity = { principal, tokenHash: 'login' } as unknown as Parameters<TotpService['begin']>[0];
    const { secret } = await totp.begin(identity);
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    await totp.confirm(identity, app.generate({ timestamp: clock.now() }));
    clock.advance(60_000);
    const right = app.generate({ timestamp: clock.now() });
    const guesses = [...Array.from({ length: LIMIT }, () => 'no code'), right];
    const results = await Promise.allSettled(guesses.map(guess => totp.check(PERSON, guess)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    await expect(totp.check(PERSON, right)).rejects.toThrow('too many wrong codes');
  } finally {
    await release();
  }
});
