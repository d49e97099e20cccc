/** Logs people in with e-mail and password. */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { Store } from '../../../port/store/store';
import type { StartedLogin } from '../../../service/auth/login_service';
import type { PasswordLogin, ShownPassword } from '../../../service/auth/password_login';
import type { TotpService } from '../factor/totp_service';
import type { LoginSettings } from '../login/login_settings';
import type { SignInLog } from '../login/sign_in_log';
import { emailKey } from '../person/new_person';
import type { PasswordCheck } from './password_check';

export interface PeopleLoginDeps {
  store: Store;
  clock: Clock;
  signIns: Pick<SignInLog, 'start'>;
  loginSettings: Pick<LoginSettings, 'assertPasswords'>;
  passwords: Pick<PasswordCheck, 'check' | 'countFailure'>;
  totp: Pick<TotpService, 'check' | 'assertNoNewApp'>;
}

export class PeopleLogin implements PasswordLogin {
  constructor(private readonly deps: PeopleLoginDeps) {}

  async logIn({ email, password, code, device, address, userAgent }: ShownPassword): Promise<StartedLogin> {
    const { store, clock, signIns, loginSettings, passwords, totp } = this.deps;
    loginSettings.assertPasswords();
    const guess = { email: emailKey(email), password, address, device };
    const person = await passwords.check(guess, () => store.read.people.findByEmail(guess.email));
    if (!person) throw wrongLogin();
    const checkedApp = await totp.check(person, code, { address, userAgent }).catch((thrown: unknown) => {
      // A fault of the gateway is no guess.
      const isWrongCode = thrown instanceof AppError && thrown.code === 'unauthenticated' && code !== undefined;
      if (isWrongCode) passwords.countFailure(guess, person);
      throw thrown;
    });
    const { tenantId, id, passwordHash } = person;
    return signIns.start({ person, way: 'password' }, { address, userAgent }, async tx => {
      // A new password has ended all logins with the old one, this one too.
      if ((await tx.people.get(tenantId, id))?.passwordHash !== passwordHash) throw wrongLogin();
      await totp.assertNoNewApp(tx, person, checkedApp);
      await tx.people.markLogin(tenantId, id, clock.now());
    });
  }
}

const wrongLogin = (): AppError =>
  new AppError('unauthenticated', { message: 'E-mail or password is wrong.', messageZh: '电子邮件或密码不正确。' });
