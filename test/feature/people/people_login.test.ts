/** A login with a password that changes while it is compared. */
import { PeopleLogin } from '../../../src/feature/people/password/people_login';
import { createManualClock } from '../../support/manual_clock';
import { aPerson } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

const PERSON = aPerson({ passwordHash: 'old hash' });

it('ASVS 3.3.3: begins no login with a password that was changed while it was compared', async () => {
  const { store, release } = await openTemporaryStore();
  try {
    const inTenant = { tenant: PERSON.tenantId };
    await store.transaction(inTenant, tx => tx.people.insert(PERSON));
    let isChanged = false;
    const login = new PeopleLogin({
      store,
      clock: createManualClock(),
      loginSettings: { assertPasswords: () => {} },
      passwords: {
        check: async () => {
          if (isChanged) await store.transaction(inTenant, tx => tx.people.update({ ...PERSON, passwordHash: 'new hash' }));
          return PERSON;
        },
        countFailure: () => {},
      },
      totp: { check: async () => {} },
      signIns: {
        start: async (_person, _client, also) => {
          await store.transaction(inTenant, async tx => also?.(tx, undefined as never));
          return undefined as never;
        },
      },
    });
    const shown = { email: PERSON.email, password: 'old', address: '127.0.0.1' };
    await login.logIn(shown);
    isChanged = true;
    await expect(login.logIn(shown)).rejects.toThrow('E-mail or password is wrong');
  } finally {
    await release();
  }
});
