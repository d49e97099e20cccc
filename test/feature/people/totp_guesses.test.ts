/** Guesses of codes that come at the same moment, as at several gateways or from several addresses. */
import { Secret, TOTP } from 'otpauth';
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
