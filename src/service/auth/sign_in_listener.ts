/** The parts that tell of a sign-in from a network or a browser that the person had not used before. */
import type { Locale } from '../../port/store/sessions';
import type { StoreTransaction } from '../../port/store/store';

export interface UnusualSignIn {
  tenantId: string;
  /** The handle of the person. */
  person: string;
  /** Stands in logins and devices of the person where those of keys have the hash of the key. */
  subject: string;
  /** Absent for a person without an address. */
  email?: string | undefined;
  locale: Locale;
  /** Milliseconds since 1970. */
  at: number;
  /** password, invitation, passkey, or provider:<id>. */
  way: string;
  /** IP address. */
  address: string;
  /** Browser and system, without versions. */
  client: string;
}

export interface SignInListener {
  /** Stores more in the transaction that begins the login. A retried transaction calls it again. */
  add?(tx: StoreTransaction, signIn: UnusualSignIn): Promise<void>;
  /** Called when the transaction is committed. Returns at once and does not throw. */
  committed(signIn: UnusualSignIn): void;
}
