/**
 * Device cookies: a browser in which a person has logged in shows that it is no stranger, so wrong passwords from elsewhere do not refuse it. The cookie
 * logs nobody in. After OWASP's "Slow down online guessing attacks with device cookies".
 */
import type { Clock, IdSource } from '../../../port/clock';
import type { LogError } from '../../../port/logger';
import type { Sealer } from '../../../port/sealer';
import { DEVICE_LIFE_MS } from '../../../service/auth/login_service';
import { contentHash } from '../../../utils/content_hash';
import type { PersonRecord } from '../store/people_records';

/** The content of a device cookie, sealed for the address of the account. */
export interface Device {
  id: string;
  /**
   * Of the hash of the password with which the cookie was made. A new password ends the cookies from before: whoever knew the old one could have made
   * many of them, each with guesses of its own.
   */
  passwordMark: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface DeviceCookiesDeps {
  clock: Pick<Clock, 'now'>;
  ids: Pick<IdSource, 'uuid'>;
  sealer: Sealer;
  onError: LogError;
}

export class DeviceCookies {
  private hasTold = false;

  constructor(private readonly deps: DeviceCookiesDeps) {}

  /** Returns the value of a cookie for a new device; undefined for a person without a password, whom nobody can guess, and without the key of the gateway. */
  create({ email, passwordHash }: Pick<PersonRecord, 'email' | 'passwordHash'>): string | undefined {
    if (passwordHash === '') return undefined;
    const { clock, ids, sealer } = this.deps;
    const device: Device = { id: ids.uuid(), passwordMark: contentHash(passwordHash), expiresAt: clock.now() + DEVICE_LIFE_MS };
    return this.withoutFault(() => sealer.seal(JSON.stringify(device), purposeOf(email)));
  }

  /** Returns the device of a cookie that was made for this address, as `emailKey` returns it; undefined for any other text, and without the key. Reads no store. */
  open(cookie: string | undefined, email: string): Device | undefined {
    const text = cookie === undefined ? undefined : this.withoutFault(() => this.deps.sealer.open(cookie, purposeOf(email)));
    const device = text === undefined ? undefined : (JSON.parse(text) as Device);
    return device && device.expiresAt > this.deps.clock.now() ? device : undefined;
  }

  /** Returns undefined when the key cannot be read: people log in without a device then. The log says so once. */
  private withoutFault<T>(useKey: () => T): T | undefined {
    try {
      return useKey();
    } catch (thrown) {
      if (!this.hasTold)
        this.deps.onError('The key for device cookies cannot be read, so wrong passwords of others can refuse any browser', thrown);
      this.hasTold = true;
      return undefined;
    }
  }
}

/** Returns false for a cookie from before the password of the person. */
export const isDeviceOf = ({ passwordMark }: Device, { passwordHash }: Pick<PersonRecord, 'passwordHash'>): boolean =>
  passwordMark === contentHash(passwordHash);

const purposeOf = (email: string): string => `device ${email}`;
