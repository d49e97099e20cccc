/** Logs people in with e-mail and password. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { Store } from '../../port/store/store';
import type { AuditLog } from '../../service/audit/audit_log';
import { AddressCounts } from '../../service/auth/address_counts';
import type { StartedLogin } from '../../service/auth/login_service';
import type { PasswordLogin, ShownPassword } from '../../service/auth/password_login';
import { contentHash } from '../../utils/content_hash';
import { ComparisonQueue } from './comparison_queue';
import type { LoginSettings } from './login_settings';
import { emailKey } from './new_person';
import { hashPassword, isPassword } from './password_hash';
import type { SignInLog } from './sign_in_log';
import type { TotpService } from './totp_service';

/** Wrong passwords of one address in a minute, and of one address for one account. Nobody can lock others out: only the own address is refused. */
const MAX_OF_ADDRESS = 20;
const MAX_OF_ACCOUNT = 5;

export interface PeopleLoginDeps {
  store: Store;
  clock: Clock;
  signIns: Pick<SignInLog, 'start'>;
  auditLog: Pick<AuditLog, 'record' | 'recordFailedLogin'>;
  loginSettings: Pick<LoginSettings, 'assertPasswords'>;
  totp: Pick<TotpService, 'check'>;
}

export class PeopleLogin implements PasswordLogin {
  private readonly failures: AddressCounts;
  private readonly comparisons = new ComparisonQueue();
  /** The hash that stands for the password of somebody who has no account, so that the time does not tell who has one. */
  private nobody: Promise<string> | undefined;

  constructor(private readonly deps: PeopleLoginDeps) {
    this.failures = new AddressCounts(deps);
  }

  async logIn({ email, password, code, address, userAgent }: ShownPassword): Promise<StartedLogin> {
    const { store, clock, signIns, auditLog, loginSettings, totp } = this.deps;
    loginSettings.assertPasswords();
    const known = emailKey(email);
    const account = `password ${contentHash(known)}`;
    this.assertAllowed(address, account);
    const found = await store.read.people.findByEmail(known);
    // A person without a password logs in at a provider.
    const person = found?.state === 'active' && found.passwordHash !== '' ? found : undefined;
    this.nobody ??= hashPassword('nobody has this password');
    const hash = person?.passwordHash ?? (await this.nobody);
    const isRight = await this.comparisons.run(address, () => {
      // Others of this address may have failed while this one waited.
      this.assertAllowed(address, account);
      return isPassword(password, hash);
    });
    const fail = () => {
      for (const kind of ['password', account]) this.failures.add(address, kind);
      auditLog.recordFailedLogin(address);
    };
    if (!person || !isRight) {
      fail();
      throw new AppError('unauthenticated', {
        message: 'E-mail or password is wrong.',
        messageZh: '电子邮件或密码不正确。',
      });
    }
    await totp.check(person, code).catch((thrown: unknown) => {
      if (code !== undefined) fail();
      throw thrown;
    });
    return signIns.start({ person, way: 'password' }, { address, userAgent }, tx =>
      tx.people.markLogin(person.tenantId, person.id, clock.now()),
    );
  }

  private assertAllowed(address: string, account: string): void {
    const ofAddress = this.failures.windowOf(address, 'password');
    const ofAccount = this.failures.windowOf(address, account);
    if (ofAddress.count < MAX_OF_ADDRESS && ofAccount.count < MAX_OF_ACCOUNT) return;
    throw new AppError('rate_limited', {
      message: 'Too many wrong passwords came from this address. Wait, then try again.',
      messageZh: '这个地址发送了太多错误的密码。请稍候再试。',
      retryAfterMs: Math.max(ofAddress.retryAfterMs, ofAccount.retryAfterMs),
    });
  }
}
