/** Logins whose password, or whose second factor, changes while they are checked. */
import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { TotpService } from '../../../src/feature/people/factor/totp_service';
import { InvitationService } from '../../../src/feature/people/password/invitation_service';
import { PeopleLogin, type PeopleLoginDeps } from '../../../src/feature/people/password/people_login';
import type { Scope } from '../../../src/port/principal';
import { openPersonBench, PERSON } from '../../support/person_bench';

const CLIENT = { address: '127.0.0.1' };
const SHOWN = { email: PERSON.email, password: 'old', ...CLIENT };
const IN_TENANT = { tenant: PERSON.tenantId };
const NO_CODE = 'a code of your authenticator app is needed';
const loginSettings = { assertPasswords: () => {} };

let bench: Awaited<ReturnType<typeof openPersonBench>>;
/** Happens once, behind the check of the second factor and before the login is stored. */
let whileChecked: (() => Promise<unknown>) | undefined;

beforeEach(async () => {
  bench = await openPersonBench();
});
afterEach(() => bench.release());

const totp: Pick<TotpService, 'check' | 'assertNoNewApp'> = {
  check: async (...given) => {
    const checked = await bench.totp.check(...given);
    await whileChecked?.();
    whileChecked = undefined;
    return checked;
  },
  assertNoNewApp: (...given) => bench.totp.assertNoNewApp(...given),
};

const signIns: PeopleLoginDeps['signIns'] = {
  start: async (_person, _client, also) => {
    await bench.store.transaction(IN_TENANT, async tx => also?.(tx, undefined as never));
    return undefined as never;
  },
};

const createLogin = (countFailure = () => {}): PeopleLogin =>
  new PeopleLogin({ ...bench, loginSettings, passwords: { check: async () => PERSON, countFailure }, totp, signIns });

/** Adds an authenticator app, and returns its codes. */
async function addApp(): Promise<() => string> {
  const { clock, identity } = bench;
  const { secret } = await bench.totp.begin(identity);
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = () => app.generate({ timestamp: clock.now() });
  await bench.totp.confirm(identity, code(), CLIENT);
  clock.advance(60_000);
  return code;
}

it('ASVS 3.3.3: begins no login with a password that was changed while it was compared', async () => {
  const login = createLogin();
  await login.logIn(SHOWN);
  whileChecked = () => bench.store.transaction(IN_TENANT, tx => tx.people.update({ ...PERSON, passwordHash: 'new hash' }));
  await expect(login.logIn(SHOWN)).rejects.toThrow('E-mail or password is wrong');
});

it('ASVS 4.3.1: begins no login without a code when the app was added while the password was compared, or was replaced behind its code', async () => {
  const login = createLogin();
  let code = () => '';
  whileChecked = async () => {
    code = await addApp();
  };
  await expect(login.logIn(SHOWN)).rejects.toThrow(NO_CODE);
  await login.logIn({ ...SHOWN, code: code() });
  bench.clock.advance(60_000);
  const ofOldApp = code();
  whileChecked = async () => {
    bench.clock.advance(60_000);
    await bench.totp.remove(bench.identity, code(), CLIENT);
    await addApp();
  };
  await expect(login.logIn({ ...SHOWN, code: ofOldApp })).rejects.toThrow(NO_CODE);
});

it('ASVS 2.2.1: counts a wrong code as a wrong password, but no fault of the gateway while it checks the code', async () => {
  const code = await addApp();
  const countFailure = jest.fn();
  const login = createLogin(countFailure);
  await expect(login.logIn({ ...SHOWN, code: 'no code' })).rejects.toThrow('is wrong or was used before');
  expect(countFailure).toHaveBeenCalledTimes(1);
  whileChecked = async () => {
    throw new Error('the store is away');
  };
  await expect(login.logIn({ ...SHOWN, code: code() })).rejects.toThrow('the store is away');
  expect(countFailure).toHaveBeenCalledTimes(1);
});

it('ASVS 2.5.6: sets no password by a link without a code when the app was added meanwhile, and leaves the link open', async () => {
  const keys = { applyChange: async () => {}, isLocked: true };
  const invitations = new InvitationService({ ...bench, totp, createSecret: randomUUID, keys, signIns, loginSettings });
  const caller = { tenantId: PERSON.tenantId, keyName: 'root', scopes: new Set<Scope>() };
  const { token } = await invitations.makePasswordLink(caller, PERSON.id);
  whileChecked = addApp;
  const accepted = { password: 'four yellow bicycles', locale: 'en' } as const;
  await expect(invitations.accept(token, accepted, CLIENT)).rejects.toThrow(NO_CODE);
  expect((await bench.store.read.people.get(PERSON.tenantId, PERSON.id))?.passwordHash).toBe(PERSON.passwordHash);
  await expect(invitations.readInvitation(token)).resolves.toMatchObject({ personId: PERSON.id });
});
