/** Compares passwords that people show: few at a time, in the same time for everybody, and an address may not guess for long. */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { Store } from '../../../port/store/store';
import type { AuditLog } from '../../../service/audit/audit_log';
import { AddressCounts } from '../../../service/auth/address_counts';
import { contentHash } from '../../../utils/content_hash';
import { rangeOf } from '../login/sign_in_log';
import type { PersonRecord } from '../store/people_records';
import { ComparisonQueue } from './comparison_queue';
import { hashPassword, isPassword } from './password_hash';

/** Wrong passwords of one address in a minute, and of one address for one account. Nobody can lock others out: only the own address is refused. */
const MAX_OF_ADDRESS = 20;
const MAX_OF_ACCOUNT = 5;
/**
 * Wrong passwords for one account in an hour, from everywhere; then only networks from which the person has signed in go on, each with as many. So a
 * stranger who has many addresses cannot guess for long, and locks the person out of new networks alone.
 */
const MAX_IN_HOUR = 50;
const HOUR_MS = 3_600_000;
const EVERYWHERE = 'everywhere';

export interface PasswordCheckDeps {
  store: Pick<Store, 'read'>;
  clock: Clock;
  auditLog: Pick<AuditLog, 'recordFailedLogin'>;
}

export interface PasswordGuess {
  /** Names the account, as `emailKey` returns it. */
  email: string;
  password: string;
  /** IP address of the client. */
  address: string;
}

export class PasswordCheck {
  private readonly failures: AddressCounts;
  private readonly hourly: AddressCounts;
  private readonly comparisons = new ComparisonQueue();
  /** The hash that stands for the password of somebody who has no account, so that the time does not tell who has one. */
  private nobody: Promise<string> | undefined;

  constructor(private readonly deps: PasswordCheckDeps) {
    this.failures = new AddressCounts(deps);
    this.hourly = new AddressCounts(deps, HOUR_MS);
  }

  /** Resolves with the person when the password is right; otherwise counts the guess. Rejects `rate_limited`. */
  async check(guess: PasswordGuess, findPerson: () => Promise<PersonRecord | undefined>): Promise<PersonRecord | undefined> {
    const { password, address } = guess;
    this.assertAllowed(guess);
    const found = await findPerson();
    // A person without a password logs in at a provider.
    const person = found?.state === 'active' && found.passwordHash !== '' ? found : undefined;
    this.nobody ??= hashPassword('nobody has this password');
    const hash = person?.passwordHash ?? (await this.nobody);
    const isRight = await this.comparisons.run(address, async () => {
      // Others may have failed while this one waited.
      this.assertAllowed(guess);
      await this.assertNetwork(guess, person);
      return isPassword(password, hash);
    });
    if (person && isRight) return person;
    this.countFailure(guess);
    return undefined;
  }

  /** Counts a wrong password, or a wrong code behind the right one. */
  countFailure(guess: PasswordGuess): void {
    for (const kind of ['password', accountOf(guess)]) this.failures.add(guess.address, kind);
    for (const network of [EVERYWHERE, rangeOf(guess.address)]) this.hourly.add(network, accountOf(guess));
    this.deps.auditLog.recordFailedLogin(guess.address);
  }

  private assertAllowed(guess: PasswordGuess): void {
    const ofAddress = this.failures.windowOf(guess.address, 'password');
    const ofAccount = this.failures.windowOf(guess.address, accountOf(guess));
    if (ofAddress.count < MAX_OF_ADDRESS && ofAccount.count < MAX_OF_ACCOUNT) return;
    throw new AppError('rate_limited', {
      message: 'Too many wrong passwords came from this address. Wait, then try again.',
      messageZh: '这个地址发送了太多错误的密码。请稍候再试。',
      retryAfterMs: Math.max(ofAddress.retryAfterMs, ofAccount.retryAfterMs),
    });
  }

  /** Answers alike for an address that has no account. */
  private async assertNetwork(guess: PasswordGuess, person: PersonRecord | undefined): Promise<void> {
    const network = rangeOf(guess.address);
    const everywhere = this.hourly.windowOf(EVERYWHERE, accountOf(guess));
    if (everywhere.count < MAX_IN_HOUR) return;
    const signIns = person ? await this.deps.store.read.signIns.listOfPerson(person.tenantId, person.id) : [];
    const isKnown = signIns.some(signIn => signIn.network === network);
    if (isKnown && this.hourly.windowOf(network, accountOf(guess)).count < MAX_IN_HOUR) return;
    throw new AppError('rate_limited', {
      message:
        'Too many wrong passwords came for this account. Wait, or log in from a network that you have used before, or in another way.',
      messageZh: '此账户收到了太多错误的密码。请稍候，或从曾经使用过的网络登录，或用其他方式登录。',
      retryAfterMs: everywhere.retryAfterMs,
    });
  }
}

const accountOf = ({ email }: PasswordGuess): string => `password ${contentHash(email)}`;
