/** Compares passwords that people show: few at a time, in the same time for everybody, and within the limits of wrong ones. */
import type { Clock } from '../../../port/clock';
import type { AuditLog } from '../../../service/audit/audit_log';
import { networkOf } from '../../../service/auth/address_counts';
import { type DeviceCookies, isDeviceOf } from '../login/device_cookies';
import type { PersonRecord } from '../store/people_records';
import { ComparisonQueue } from './comparison_queue';
import { hashPassword, isPassword } from './password_hash';
import { type GuessSource, PasswordLimits } from './password_limits';

export interface PasswordCheckDeps {
  clock: Clock;
  devices: Pick<DeviceCookies, 'open'>;
  auditLog: Pick<AuditLog, 'recordFailedLogin'>;
}

/** A password that somebody shows to log in. */
export interface PasswordGuess {
  /** Names the account, as `emailKey` returns it. */
  email: string;
  password: string;
  /** IP address of the client. */
  address: string;
  /** The device cookie, as it came. */
  device?: string | undefined;
}

export class PasswordCheck {
  private readonly limits: PasswordLimits;
  private readonly comparisons = new ComparisonQueue();
  /** The hash that stands for the password of somebody who has no account, so that the time does not tell who has one. */
  private nobody: Promise<string> | undefined;

  constructor(private readonly deps: PasswordCheckDeps) {
    this.limits = new PasswordLimits(deps);
  }

  /** Resolves with the person when the password is right; otherwise counts the guess. Rejects `rate_limited`. */
  async check(guess: PasswordGuess, findPerson: () => Promise<PersonRecord | undefined>): Promise<PersonRecord | undefined> {
    const { email, password, address, device } = guess;
    const shown = this.deps.devices.open(device, email);
    this.limits.assertAllowed({ email, address, owner: shown?.id });
    const found = await findPerson();
    // A person without a password logs in at a provider.
    const person = found?.state === 'active' && found.passwordHash !== '' ? found : undefined;
    return this.compare(password, person, this.sourceOf(guess, person));
  }

  /** As `check`, for the current password of a person who is logged in. `login`: the hash of its token; guesses count for this login alone. */
  async checkAgain(
    person: PersonRecord,
    { password, login, address }: { password: string; login: string; address: string },
  ): Promise<PersonRecord | undefined> {
    return this.compare(password, person, { email: person.email, address, owner: login });
  }

  /** Counts a wrong code behind the right password. */
  countFailure(guess: PasswordGuess, person: PersonRecord): void {
    this.count(this.sourceOf(guess, person));
  }

  private async compare(password: string, person: PersonRecord | undefined, source: GuessSource): Promise<PersonRecord | undefined> {
    this.nobody ??= hashPassword('nobody has this password');
    const hash = person?.passwordHash ?? (await this.nobody);
    const isRight = await this.comparisons.run(source.owner ?? networkOf(source.address), async () => {
      // Others may have failed while this one waited.
      this.limits.assertAllowed(source);
      return isPassword(password, hash);
    });
    if (person && isRight) return person;
    this.count(source);
    return undefined;
  }

  private count(source: GuessSource): void {
    this.limits.add(source);
    this.deps.auditLog.recordFailedLogin(source.address);
  }

  private sourceOf({ email, address, device }: PasswordGuess, person: PersonRecord | undefined): GuessSource {
    const shown = this.deps.devices.open(device, email);
    return { email, address, owner: shown && person && isDeviceOf(shown, person) ? shown.id : undefined };
  }
}
