/** Lets a person change the own password. */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { Store } from '../../../port/store/store';
import type { Identity, KeyRing } from '../../../service/auth/key_ring';
import type { LoginClient } from '../../../service/auth/login_service';
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
  passwords: Pick<PasswordCheck, 'check'>;
  loginSettings: Pick<LoginSettings, 'assertPasswords'>;
  changes: LoginChanges;
}

export class OwnPassword {
  constructor(private readonly deps: OwnPasswordDeps) {}

  /**
   * Sets a new password, and ends all other logins of the person and the links for a new password. Rejects `forbidden` as `findOwnAccount` does, `unauthenticated` for a wrong `current`,
   * `invalid_request` for a weak password, and `rate_limited` after too many guesses.
   */
  async change(identity: Identity, { current, password }: { current: string; password: string }, client: LoginClient): Promise<void> {
    const { store, clock, keys, passwords, loginSettings, changes } = this.deps;
    loginSettings.assertPasswords();
    const person = await findOwnAccount(store, identity);
    const { tenantId, id, subject } = person;
    checkPassword(password, [emailOf(person) ?? '', person.name]);
    const guess = { email: person.email, password: current, address: client.address };
    if (!(await passwords.check(guess, async () => person))) throw wrongPassword();
    const passwordHash = await hashPassword(password);
    await changes.transaction(tenantId, async (tx, record) => {
      const before = await tx.people.get(tenantId, id);
      // A link, or this person in another browser, may have set a password since the comparison.
      if (before?.state !== 'active' || before.passwordHash !== person.passwordHash) throw wrongPassword();
      await tx.people.update({ ...before, passwordHash, updatedAt: clock.now() });
      await tx.people.deletePasswordLinks(tenantId, id);
      await tx.apiKeys.deleteOtherLogins(subject, identity.tokenHash ?? '');
      await record({ kind: 'password_changed', person: before, origin: client });
    });
    await keys.applyChange();
  }
}

const wrongPassword = (): AppError =>
  new AppError('unauthenticated', {
    param: '/current',
    message: '/current: this is not your current password.',
    messageZh: '/current：这不是你当前的密码。',
  });
