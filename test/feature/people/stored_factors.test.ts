/** What the store has of factors, and what a device is asked. */
import { Secret, TOTP } from 'otpauth';
import { PasskeyService } from '../../../src/feature/people/factor/passkey_service';
import { openPersonBench, PERSON } from '../../support/person_bench';

const PAGE = { origin: 'https://neta.example.com', hostname: 'neta.example.com' };

it('ASVS 2.6.3, 2.8.2: stores the secret of an app encrypted, and recovery codes as hashes', async () => {
  const { totp, identity, clock, store, release } = await openPersonBench();
  try {
    const { secret } = await totp.begin(identity);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });
    const codes = await totp.confirm(identity, code, { address: '127.0.0.1' });
    const stored = await store.read.personFactors.listOfPerson(PERSON.tenantId, PERSON.id);
    expect(stored.map(({ kind }) => kind).sort()).toEqual([...Array<string>(10).fill('recovery'), 'totp']);
    const text = JSON.stringify(stored);
    for (const hidden of [secret, ...codes.flatMap(each => [each, each.replaceAll('-', '')])]) expect(text).not.toContain(hidden);
    const hashes = stored.filter(({ kind }) => kind === 'recovery').map(({ credential }) => credential);
    expect(hashes.every(hash => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  } finally {
    await release();
  }
});

it('ASVS 2.8.7, 2.9.2, 2.9.3: asks a device each time for 256 new random bits, for a check of the person, and for approved algorithms', async () => {
  const { identity, release, ...deps } = await openPersonBench();
  try {
    const auditLog = { ...deps.auditLog, recordFailedLogin: () => {} };
    const signIns = { start: () => Promise.reject(new Error('no login in this test')) };
    const passkeys = new PasskeyService({ ...deps, auditLog, signIns, loginSettings: { assertPasswords: () => {} } });
    const asked = await Promise.all(Array.from({ length: 20 }, () => passkeys.beginLogin(PAGE)));
    const challenges = asked.map(({ options }) => options.challenge);
    expect(new Set(challenges).size).toBe(20);
    expect(challenges.map(challenge => Buffer.from(challenge, 'base64url').length)).toEqual(Array(20).fill(32));
    expect(asked.map(({ options }) => options.userVerification)).toEqual(Array(20).fill('required'));
    const { options } = await passkeys.beginAdding(identity, PAGE);
    expect(options.authenticatorSelection).toMatchObject({ userVerification: 'required' });
    // EdDSA, ES256 and RS256, and ML-DSA where Node knows it; nothing with SHA-1.
    const algorithms = options.pubKeyCredParams.map(({ alg }) => alg);
    expect(algorithms.filter(alg => alg !== -48)).toEqual([-8, -7, -257]);
  } finally {
    await release();
  }
});
