/** Guesses of codes that come at the same moment, as at several gateways or from several addresses. */
import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { createSealer } from '../../../src/adapter/local/disk/sealer';
import { LoginChanges } from '../../../src/feature/people/login_changes';
import { TotpService } from '../../../src/feature/people/totp_service';
import { createManualClock } from '../../support/manual_clock';
import { NO_AUDIT } from '../../support/no_audit';
import { aPerson } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

const LIMIT = 50;

const PERSON = aPerson();

it('ASVS 2.2.1: takes no code behind the limit of wrong ones, also when all guesses begin at the same moment', async () => {
  const { store, release } = await openTemporaryStore();
  try {
    const clock = createManualClock();
    const sealer = createSealer({ secret: 'k'.repeat(32), file: '' });
    const ids = { next: (kind: string) => `${kind}_${randomUUID()}`, uuid: randomUUID };
    const changes = new LoginChanges({ store, clock, auditLog: NO_AUDIT, listeners: [] });
    const totp = new TotpService({ store, clock, sealer, ids, changes });
    await store.transaction({ tenant: PERSON.tenantId }, tx => tx.people.insert(PERSON));
    const principal = { tenantId: PERSON.tenantId, keyName: PERSON.handle, scopes: [], person: { id: PERSON.id } };
    const identity = { principal, tokenHash: 'login' } as unknown as Parameters<TotpService['begin']>[0];
    const { secret } = await totp.begin(identity);
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    await totp.confirm(identity, app.generate({ timestamp: clock.now() }), { address: '127.0.0.1' });
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
