/** Lets a person change the own password. */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { Store } from '../../../port/store/store';
import type { Identity, KeyRing } from '../../../service/auth/key_ring';
import type { LoginClient } from '../../../service/auth/login_service';
import type { DeviceCookies } from '../login/device_cookies';
import type { LoginChanges } from '../login/login_changes';
import type { LoginSettings } from '../login/login_settings';
import { emailOf } from '../person/new_person';
import { findOwnAccount } from '../person/own_account';
import type { PasswordCheck } from './password_check';
import { hashPassword } from './password_hash';
import { checkPassword } from './password_rules';

export interface OwnPasswordDeps {
  store: Store;
  clock: Clock;
  keys: Pick<KeyRing, 'applyChange'>;
  passwords: Pick<PasswordCheck, 'checkAgain'>;
  devices: Pick<DeviceCookies, 'create'>;
  loginSettings: Pick<LoginSettings, 'assertPasswords'>;
  changes: LoginChanges;
}

export class OwnPassword {
  constructor(private readonly deps: OwnPasswordDeps) {}

  /**
   * Sets a new password, and ends all other logins of the person and the links for a new password. Rejects `forbidden` as `findOwnAccount` does, `unauthenticated` for a wrong `current`,
   * `invalid_request` for a weak password, and `rate_limited` after too many guesses in this login. Resolves with a new device cookie: the new password ends
   * the old one.
   */
  async change(
    identity: Identity,
    { current, password }: { current: string; password: string },
    client: LoginClient,
  ): Promise<string | undefined> {
    const { store, clock, keys, passwords, devices, loginSettings, changes } = this.deps;
    loginSettings.assertPasswords();
    const person = await findOwnAccount(store, identity);
    const { tenantId, id, subject } = person;
    checkPassword(password, [emailOf(person) ?? '', person.name]);
    const login = identity.tokenHash ?? '';
    if (!(await passwords.checkAgain(person, { password: current, login, address: client.address }))) throw wrongPassword();
    const passwordHash = await hashPassword(password);
    await changes.transaction(tenantId, async (tx, record) => {
      const before = await tx.people.get(tenantId, id);
      // A link, or this person in another browser, may have set a password since the comparison.
      if (before?.state !== 'active' || before.passwordHash !== person.passwordHash) throw wrongPassword();
      await tx.people.update({ ...before, passwordHash, updatedAt: clock.now() });
      await tx.people.deletePasswordLinks(tenantId, id);
      await tx.apiKeys.deleteOtherLogins(subject, login);
      await record({ kind: 'password_changed', person: before, origin: client });
    });
    await keys.applyChange();
    return devices.create({ ...person, passwordHash });
  }
}

const wrongPassword = (): AppError =>
  new AppError('unauthenticated', {
    param: '/current',
    message: '/current: this is not your current password.',
    messageZh: '/current：这不是你当前的密码。',
  });
