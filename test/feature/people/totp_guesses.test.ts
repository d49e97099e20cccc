/** Guesses of codes that come at the same moment, as at several gateways or from several addresses. */
import { Secret, TOTP } from 'otpauth';
import { createSealer } from '../../../src/adapter/local/disk/sealer';
import { TotpService } from '../../../src/feature/people/factor/totp_service';
import { openPersonBench, PERSON } from '../../support/person_bench';

const LIMIT = 50;
const CLIENT = { address: '127.0.0.1' };

it('ASVS 2.2.1: takes no code behind the limit of wrong ones, also when all guesses begin at the same moment', async () => {
  const { totp, identity, clock, release } = await openPersonBench();
  try {
    const { secret } = await totp.begin(identity);
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    await totp.confirm(identity, app.generate({ timestamp: clock.now() }), CLIENT);
    clock.advance(60_000);
    const right = app.generate({ timestamp: clock.now() });
    const guesses = [...Array.from({ length: LIMIT }, () => 'no code'), right];
    const results = await Promise.allSettled(guesses.map(guess => totp.check(PERSON, guess, CLIENT)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    await expect(totp.check(PERSON, right, CLIENT)).rejects.toThrow('too many wrong codes');
  } finally {
    await release();
  }
});

it('says that an app of another key of the gateway cannot be read, counts no wrong code for it, and takes recovery codes', async () => {
  const { totp, identity, clock, store, release, ...deps } = await openPersonBench();
  try {
    const { secret } = await totp.begin(identity);
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const codes = await totp.confirm(identity, app.generate({ timestamp: clock.now() }), CLIENT);
    clock.advance(60_000);
    const code = () => app.generate({ timestamp: clock.now() });
    const withNewKey = new TotpService({ ...deps, store, clock, sealer: createSealer({ secret: 'l'.repeat(32), file: '' }) });
    await expect(withNewKey.check(PERSON, code(), CLIENT)).rejects.toMatchObject({
      message: expect.stringContaining('cannot read this authenticator app any more'),
      details: { needs: 'code' },
    });
    const factors = await store.read.personFactors.listOfPerson(PERSON.tenantId, PERSON.id);
    expect(factors.find(({ kind }) => kind === 'totp')?.failures).toBe(0);
    await expect(withNewKey.check(PERSON, codes[0], CLIENT)).resolves.toBeDefined();
    await expect(totp.check(PERSON, code(), CLIENT)).resolves.toBeDefined();
  } finally {
    await release();
  }
});
