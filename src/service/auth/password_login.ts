/** Lets the door of logins reach the feature that knows the passwords of people. */
import { AppError } from '../../errors';
import type { StartedLogin } from './login_service';

export interface ShownPassword {
  email: string;
  password: string;
  /** Of an authenticator app, or a recovery code. */
  code?: string | undefined;
  /** The device cookie of the browser, which says that the person has logged in there before. */
  device?: string | undefined;
  /** IP address of the client. */
  address: string;
  /** What the client says it is. */
  userAgent?: string | undefined;
}

export interface PasswordLogin {
  /** Rejects with `unauthenticated` for a wrong password and an unknown person alike, and for a missing or wrong code, and with `rate_limited`. */
  logIn(shown: ShownPassword): Promise<StartedLogin>;
}

/** A gateway without accounts. */
export const NO_PASSWORDS: PasswordLogin = {
  async logIn() {
    throw new AppError('unauthenticated');
  },
};
